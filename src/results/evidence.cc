#include "results/evidence.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "io/utf8.h"
#include "results/passages.h"
#include "results/result_rows.h"
#include "spill/columns.h"
#include "spill/record_reader.h"
#include "text/utf8.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Maximum number of pairs of pieces to compare: 16 MiB of one text if the other is short.
constexpr size_t kMostPiecePairs = 64;

/// Maximum number of code points of a passage to show.
constexpr uint64_t kShown = 200;

/// Number of removals processed at a time.
constexpr size_t kAtATime = 16;

/// A part of a text, and the number of code points before it.
struct Piece {
  std::string_view text;
  uint64_t before;
};

std::vector<Piece> CutToPieces(std::string_view text, size_t length) {
  std::vector<Piece> pieces;
  uint64_t before = 0;
  do {
    size_t end = std::min(length, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    pieces.push_back({text.substr(0, end), before});
    before += CountCodePoints(text.substr(0, end));
    text.remove_prefix(end);
  } while (!text.empty());
  return pieces;
}

/// Keeps only the longest passages, in order.
void KeepLongest(Evidence* evidence) {
  auto& passages = evidence->passages;
  std::stable_sort(passages.begin(), passages.end(), [](const Passage& x, const Passage& y) {
    return x.a_end - x.a_begin > y.a_end - y.a_begin;
  });
  if (passages.size() > Evidence::kMostPassages) {
    evidence->left_out += passages.size() - Evidence::kMostPassages;
    passages.resize(Evidence::kMostPassages);
  }
  std::sort(passages.begin(), passages.end(), [](const Passage& x, const Passage& y) {
    return std::tie(x.a_begin, x.b_begin) < std::tie(y.a_begin, y.b_begin);
  });
}

/// The texts of selected documents, in the form that is compared.
class StoredTexts {
 public:
  explicit StoredTexts(Bitmap wanted) : wanted_(std::move(wanted)) {}

  Status Read(const Job& job, const KnownInputs& known, const Observer& observer,
              Workspace* workspace) {
    auto writer = workspace->store().Temporary(2);
    PageReader pages(job.features.PagesToRead());
    PassReader reader(job, &known, ReadColumns::kFields, "evidence", observer,
                      {.wanted = &wanted_.bits(), .ahead = workspace->memory().ahead});
    const auto keep = [&](const PassItem& item) -> Status {
      DocNumber doc = item.first_doc;
      for (const Document& document : item.batch.documents) {
        if (!wanted_.Test(doc++)) continue;
        const std::string_view text = pages.Read(document.text, document.kind);
        LOOKALIKE_RETURN_IF_ERROR(writer->Append(1, std::as_bytes(std::span(text))));
        LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, writer->bytes(1)));
      }
      return {};
    };
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [](PassItem item) { return item; }, keep, workspace->memory().batches));
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
    if (run->bytes(0) != wanted_.count() * sizeof(uint64_t)) {
      return InputError(
          "the inputs changed while they were read; run again when nothing writes to them");
    }
    texts_.AddPart(run, 0, 1, wanted_.count());
    return {};
  }

  [[nodiscard]] Result<std::string> Of(DocNumber doc) const {
    const uint64_t position = wanted_.Rank(doc);
    GatheredValues values;
    LOOKALIKE_RETURN_IF_ERROR(texts_.Gather(std::span(&position, 1), &values));
    const auto bytes = values.Value(0);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return IsUtf8(text) ? std::string(text) : RepairUtf8(text);
  }

 private:
  RankedBitmap wanted_;
  VariableColumn texts_;
};

/// Returns the removed documents and their witnesses.
Result<Bitmap> DocumentsOf(const Decisions& decisions) {
  Bitmap docs(decisions.removed.size());
  RecordReader<DocRemoval> removals({decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    docs.Set(removal->doc);
    docs.Set(removal->witness);
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  return docs;
}

/// Returns the passages, each with its beginning in the first text.
std::vector<EvidencePassage> ShownOf(std::string_view text, const std::vector<Passage>& passages) {
  std::vector<EvidencePassage> shown;
  size_t byte = 0;
  uint64_t at = 0;
  for (const Passage& passage : passages) {  // by a_begin
    while (at < passage.a_begin) byte += ReadValidCodePoint(text.data() + byte).length, ++at;
    size_t end = byte;
    for (uint64_t i = at; i < std::min<uint64_t>(passage.a_end, at + kShown); ++i) {
      end += ReadValidCodePoint(text.data() + end).length;
    }
    shown.push_back({passage, std::string(text.substr(byte, end - byte))});
  }
  return shown;
}

/// The evidence for one removal.
struct Shown {
  std::vector<EvidencePassage> passages;
  uint64_t left_out;
  bool cut;
};

/// Finds the evidence for a removal. `excerpt` may be null.
Result<Shown> ShowRemoval(const Job& job, const DocRemoval& removal, const StoredTexts& texts,
                          ExcerptPair* excerpt) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string a, texts.Of(removal.doc));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string b, texts.Of(removal.witness));
  const Evidence evidence = FindEvidence(a, b, job.features);
  if (excerpt != nullptr) {
    const auto& about = CanBeCut(job.features) ? evidence.passages : std::vector<Passage>();
    *excerpt = ChooseExcerpts(a, b, about, kExcerptBytes);
  }
  return Shown{ShownOf(a, evidence.passages), evidence.left_out, evidence.cut};
}

}  // namespace

Evidence FindEvidence(std::string_view a, std::string_view b, const FeatureSpec& spec,
                      size_t piece) {
  Evidence evidence;
  if (!CanBeCut(spec)) piece = SIZE_MAX;
  const auto of_a = CutToPieces(a, piece), of_b = CutToPieces(b, piece);
  size_t looked = 0;
  for (const Piece& x : of_a) {
    for (const Piece& y : of_b) {
      if (looked++ == kMostPiecePairs) {
        evidence.cut = true;
        return evidence;
      }
      for (Passage passage : SharedPassages(x.text, y.text, spec, TextKind::kPlain)) {
        passage.a_begin += x.before;
        passage.a_end += x.before;
        passage.b_begin += y.before;
        passage.b_end += y.before;
        evidence.passages.push_back(passage);
      }
      KeepLongest(&evidence);
    }
  }
  return evidence;
}

Status GiveEvidence(const Job& job, const KnownInputs& known, const Decisions& decisions,
                    const StoredMembers& members, const Observer& observer, Workspace* workspace,
                    ExcerptPairs* excerpts, ResultSink* sink) {
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap wanted, DocumentsOf(decisions));
  StoredTexts texts(std::move(wanted));
  LOOKALIKE_RETURN_IF_ERROR(texts.Read(job, known, observer, workspace));
  const auto give = [&](std::span<const DocRemoval> block, const MemberList& named) -> Status {
    std::vector<Result<Shown>> found(block.size());
    ParallelFor(size_t{0}, block.size(), [&](size_t i) {
      const auto excerpt = excerpts->find(block[i].doc);
      found[i] = ShowRemoval(job, block[i], texts,
                             excerpt == excerpts->end() ? nullptr : &excerpt->second);
    });
    for (size_t i = 0; i < block.size(); ++i) {
      if (!found[i]) return tl::make_unexpected(found[i].error());
      LOOKALIKE_RETURN_IF_ERROR(
          sink->TakeEvidence({.document = NamedBy(job, named.Of(block[i].doc)),
                              .witness = NamedBy(job, named.Of(block[i].witness)),
                              .passages = found[i]->passages,
                              .left_out = found[i]->left_out,
                              .cut = found[i]->cut}));
    }
    return {};
  };
  return ForBlocksOfRemovals(job, decisions, members, kAtATime, give);
}

}  // namespace lookalike
