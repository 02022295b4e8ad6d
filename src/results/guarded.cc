#include "results/guarded.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/guard_differences.h"
#include "results/result_rows.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "search/document_guards.h"
#include "spill/columns.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Number of pairs processed at a time: their tokens are in memory together.
constexpr size_t kGuardedAtATime = 16;

/// A batch, and the tokens of those of its documents that are in guarded pairs.
struct BatchTokens {
  PassItem item;
  std::vector<std::string> tokens;
};

/// The names and the tokens of the documents in guarded pairs.
class GuardedDocuments {
 public:
  explicit GuardedDocuments(Bitmap wanted) : members_(std::move(wanted), {}, 0) {}

  Status Read(const Job& job, const KnownInputs& known, const Observer& observer,
              Workspace* workspace) {
    auto writer = workspace->store().Temporary(kMembers + StoredMembers::kStreams);
    const Bitmap& wanted = members_.named().bits();
    PassReader reader(job, &known, ReadColumns::kFields, "guarded", observer,
                      {.wanted = &wanted, .ahead = workspace->memory().ahead});
    tbb::enumerable_thread_specific<DocumentGuards> guards(
        [&] { return DocumentGuards(job.choices.guards, job.features); });
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader,
        [&](PassItem item) {
          return FindTokens(std::move(item), job.choices.guards.differ.size(), &guards.local());
        },
        [&](const BatchTokens& batch) { return Take(batch, writer.get()); },
        workspace->memory().batches));
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
    tokens_.AddPart(run, kEnds, kTokens, members_.named().count());
    return members_.AddPart(run, kMembers, members_.named().size());
  }

  [[nodiscard]] Result<MemberList> NamesOf(const Job& job,
                                           const std::vector<DocNumber>& docs) const {
    return members_.Gather(job, docs);
  }

  /// Gets the tokens of documents, which are ascending and distinct.
  Status TokensOf(std::span<const DocNumber> docs, GatheredValues* tokens) const {
    std::vector<uint64_t> positions;
    for (const DocNumber doc : docs) positions.push_back(members_.named().Rank(doc));
    return tokens_.Gather(positions, tokens);
  }

 private:
  enum Stream : uint32_t { kEnds, kTokens, kMembers };

  BatchTokens FindTokens(PassItem item, size_t guards, DocumentGuards* reader) const {
    BatchTokens batch;
    DocNumber doc = item.first_doc;
    for (const Document& document : item.batch.documents) {
      if (!members_.named().Test(doc++)) continue;
      std::string& tokens = batch.tokens.emplace_back();
      for (size_t guard = 0; guard < guards; ++guard) {
        StoredTokens::Append(reader->Tokens(guard, document), &tokens);
      }
    }
    batch.item = std::move(item);
    return batch;
  }

  Status Take(const BatchTokens& batch, RunWriter* writer) const {
    if (batch.item.end_of_source) return {};
    for (const std::string& tokens : batch.tokens) {
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(kTokens, std::as_bytes(std::span(tokens))));
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kEnds, writer->bytes(kTokens)));
    }
    return members_.Append(batch.item.batch, batch.item.first_doc, kMembers, writer);
  }

  StoredMembers members_;
  VariableColumn tokens_;
};

Result<Bitmap> DocumentsInGuarded(const Decisions& decisions) {
  Bitmap documents(decisions.removed.size());
  RecordReader<GuardedPair> pairs({decisions.guarded}, 0);
  while (const GuardedPair* pair = pairs.Next()) {
    documents.Set(pair->a);
    documents.Set(pair->d);
  }
  LOOKALIKE_RETURN_IF_ERROR(pairs.status());
  return documents;
}

/// Gives the rows of some pairs to a sink.
Status GiveBlock(const Job& job, std::span<const GuardedPair> pairs,
                 const GuardedDocuments& documents, ResultSink* sink) {
  std::vector<DocNumber> docs;
  for (const GuardedPair& pair : pairs) docs.insert(docs.end(), {pair.a, pair.d});
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  LOOKALIKE_ASSIGN_OR_RETURN(const MemberList names, documents.NamesOf(job, docs));
  GatheredValues tokens;
  LOOKALIKE_RETURN_IF_ERROR(documents.TokensOf(docs, &tokens));
  const auto tokens_of = [&](DocNumber doc) {
    const auto at = std::lower_bound(docs.begin(), docs.end(), doc) - docs.begin();
    const auto bytes = tokens.Value(static_cast<size_t>(at));
    return StoredTokens({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  for (const GuardedPair& pair : pairs) {
    StoredTokens of_a = tokens_of(pair.a), of_d = tokens_of(pair.d);
    const auto differ = DifferencesOf(job.choices.guards, &of_a, &of_d);
    LOOKALIKE_RETURN_IF_ERROR(sink->TakeGuarded({.a = NamedBy(job, names.Of(pair.a)),
                                                 .b = NamedBy(job, names.Of(pair.d)),
                                                 .resemblance = pair.resemblance,
                                                 .differ = differ}));
  }
  return {};
}

}  // namespace

Status GiveGuarded(const Job& job, const KnownInputs& known, const Decisions& decisions,
                   const Observer& observer, Workspace* workspace, ResultSink* sink) {
  if (decisions.guarded_pairs() == 0) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap wanted, DocumentsInGuarded(decisions));
  GuardedDocuments documents(std::move(wanted));
  LOOKALIKE_RETURN_IF_ERROR(documents.Read(job, known, observer, workspace));
  RecordReader<GuardedPair> pairs({decisions.guarded}, 0);
  for (auto block = pairs.NextBlock(); !block.empty(); block = pairs.NextBlock()) {
    for (; !block.empty(); block = block.subspan(std::min(kGuardedAtATime, block.size()))) {
      LOOKALIKE_RETURN_IF_ERROR(
          GiveBlock(job, block.first(std::min(kGuardedAtATime, block.size())), documents, sink));
    }
  }
  return pairs.status();
}

}  // namespace lookalike
