#include "results/field_scores.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <optional>

#include "fingerprint/feature_extractor.h"
#include "measures/field_features.h"
#include "run/input_pass.h"
#include "search/document_features.h"

namespace lookalike {
namespace {

/// Pairs whose features are in memory together.
constexpr size_t kPairsAtATime = 16;

enum Stream : uint32_t { kEnds, kFeatures, kStreams };

using Set = std::span<const uint64_t>;

/// A batch, and the feature sets of those of its documents that are wanted, back to back.
struct BatchSets {
  PassItem item;  // owns the texts
  std::vector<uint64_t> features;
  std::vector<size_t> sizes;
};

/// The tools with which a thread makes sets.
struct Maker {
  explicit Maker(const Job& job) : extractor(job.features), features(job) {}

  FeatureExtractor extractor;
  DocumentFeatures features;
};

BatchSets MakeSets(PassItem item, const Bitmap& wanted, Maker* maker) {
  BatchSets batch;
  DocNumber doc = item.first_doc;
  for (const Document& document : item.batch.documents) {
    if (!wanted.Test(doc++)) continue;
    const auto features = maker->features.Of(document, [&](std::string_view text, TextKind kind) {
      return maker->extractor.Features(text, kind);
    });
    batch.sizes.push_back(AppendFeatureSet(features, &batch.features));
  }
  batch.item = std::move(item);
  return batch;
}

Status WriteSets(const BatchSets& batch, RunWriter* writer) {
  if (batch.item.end_of_source) return {};
  Set rest = batch.features;
  for (const size_t size : batch.sizes) {
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kFeatures, std::as_bytes(rest.first(size))));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kEnds, writer->bytes(kFeatures)));
    rest = rest.subspan(size);
  }
  return {};
}

/// Returns the resemblance of two sets; nothing if both are empty.
std::optional<double> ResemblanceOf(Set a, Set b) {
  uint64_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x == *y)
      ++common, ++x, ++y;
    else if (*x < *y)
      ++x;
    else
      ++y;
  }
  const uint64_t all = a.size() + b.size() - common;
  if (all == 0) return std::nullopt;
  return static_cast<double>(common) / static_cast<double>(all);
}

Set SetOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const uint64_t*>(bytes.data()), bytes.size() / sizeof(uint64_t)};
}

}  // namespace

Result<FieldScores> FieldScores::Read(const Job& job, const KnownInputs& known,
                                      const Bitmap& documents, const Observer& observer,
                                      Workspace* workspace) {
  FieldScores scores;
  if (!job.several_texts()) return scores;
  scores.names_ = job.choices.text_fields.paths;
  scores.documents_ = RankedBitmap(documents);
  auto writer = workspace->store().Temporary(kStreams);
  PassReader reader(job, &known, ReadColumns::kFields, "scores", observer,
                    {.wanted = &documents, .ahead = workspace->memory().ahead});
  tbb::enumerable_thread_specific<Maker> makers([&] { return Maker(job); });
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return MakeSets(std::move(item), documents, &makers.local()); },
      [&](const BatchSets& batch) { return WriteSets(batch, writer.get()); },
      workspace->memory().batches));
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
  scores.sets_.AddPart(run, kEnds, kFeatures, scores.documents_.count());
  return scores;
}

Status FieldScores::Append(std::span<const Pair> pairs, std::vector<FieldScore>* scores) const {
  if (fields() == 0) return {};
  while (!pairs.empty()) {
    const auto some = pairs.first(std::min(kPairsAtATime, pairs.size()));
    LOOKALIKE_RETURN_IF_ERROR(AppendSome(some, scores));
    pairs = pairs.subspan(some.size());
  }
  return {};
}

Status FieldScores::AppendSome(std::span<const Pair> pairs, std::vector<FieldScore>* scores) const {
  std::vector<uint64_t> positions;
  for (const auto& [a, b] : pairs) {
    positions.push_back(documents_.Rank(a));
    positions.push_back(documents_.Rank(b));
  }
  std::ranges::sort(positions);
  const auto repeated = std::ranges::unique(positions);
  positions.erase(repeated.begin(), repeated.end());
  GatheredValues sets;
  LOOKALIKE_RETURN_IF_ERROR(sets_.Gather(positions, &sets));
  const auto set_of = [&](DocNumber doc) {
    const auto at = std::ranges::lower_bound(positions, documents_.Rank(doc));
    return SetOf(sets.Value(static_cast<size_t>(at - positions.begin())));
  };
  for (const auto& [a, b] : pairs) {
    const Set of_a = set_of(a), of_b = set_of(b);
    for (size_t field = 0; field < fields(); ++field) {
      scores->push_back(
          {names_[field], ResemblanceOf(PartOfField(of_a, field), PartOfField(of_b, field))});
    }
  }
  return {};
}

}  // namespace lookalike
