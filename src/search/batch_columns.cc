#include "search/batch_columns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace lookalike {
ColumnMaker::ColumnMaker(const Job& job)
    : job_(job),
      fingerprint_(job.Fingerprint()),
      features_(job),
      sketcher_(job.features, job.Kept()),
      key_coordinates_(job.Kept()),
      bottom_(AuditIndex::SketchSize(job.options.threshold)),
      band_keys_(fingerprint_.keys()) {}

BatchColumns ColumnMaker::Make(PassItem item, const AuditReservoir& sampled) {
  sampled_ = &sampled;
  BatchColumns columns;
  columns.source = item.batch.source;
  columns.end = item.end;
  columns.whole = item.whole;
  columns.end_of_source = item.end_of_source;
  columns.bad = std::move(item.bad);
  if (job_.design) columns.keys.reserve(item.batch.documents.size() * job_.design->keys);
  for (Document& document : item.batch.documents) Add(document, &columns);
  for (Rejection& rejection : item.batch.rejections) {
    columns.bytes += rejection.raw.size();
    rejection.raw = {};  // the batch owns the bytes
    columns.rejections.push_back(std::move(rejection));
  }
  return columns;
}

void ColumnMaker::Add(Document& document, BatchColumns* columns) {
  // Adds a constant for the columns, so that empty documents fill units too.
  columns->bytes +=
      64 + std::max({document.raw.size(), document.text.size(), document.sketch.size()});
  if (document.has_id) {
    columns->ids.push_back(XXH3_64bits(document.id.data(), document.id.size()));
  }
  job_.estimates() ? AddEstimated(document, columns) : AddFeatures(document, columns);
  const auto further = features_.FurtherTexts(document);
  columns->null_text += document.null_text && std::ranges::none_of(further, [](const auto& text) {
                          return text.has_value();
                        });
  AppendKeepValues(job_.choices.keep, document, further, &columns->keep);
  ++columns->documents;
}

void ColumnMaker::AddFeatures(const Document& document, BatchColumns* columns) {
  bool replaced = false;
  const auto features = features_.Of(document, [&](std::string_view text, TextKind kind) {
    const auto of_text = fingerprint_.Features(text, kind);
    replaced |= fingerprint_.replaced_invalid();
    return of_text;
  });
  const bool searched = fingerprint_.IsSearched(features);
  columns->too_short += !searched && !features.empty();
  const StreamHash unguarded = StreamOf(document, features);
  const size_t before = columns->guards.size();
  features_.guards().AppendWords(document, &columns->guards);
  const auto words = std::span<const uint64_t>(columns->guards).subspan(before);
  const StreamHash stream = HashOfClass(unguarded, words);
  if (searched && sampled_->Wants(columns->source, stream)) {
    const auto set = fingerprint_.FeatureSet(features);
    columns->sampled.push_back({stream, {set.begin(), set.end()}});
  }
  columns->checks.push_back(unguarded.low);
  if (searched || (features.empty() && job_.options.exact_empty && !job_.rules.all_pairs)) {
    const uint64_t text_hash = features_.TextHash(document);
    // Texts without features count as copies only if their bytes are equal, because there is
    // nothing else to compare.
    const StreamHash compared =
        features.empty() ? HashOfClass(features_.HashBytes(document), words) : stream;
    const Searched how = searched ? Searched::kByKeys : Searched::kNot;
    columns->classes.push_back({compared, text_hash, columns->documents, how});
  }
  if (searched && job_.AuditDocuments() != 0 && !job_.measures_containment()) {
    const auto sketch = bottom_.Run(features);
    const auto none = std::ranges::find(sketch, kNoBottomValue);
    columns->bottom.insert(columns->bottom.end(), sketch.begin(),
                           none == sketch.end() ? none : none + 1);
  }
  columns->repaired_text += document.repaired || replaced;
  if (job_.containment) {
    columns->sizes.emplace_back();
    if (searched) AddSample(fingerprint_.FeatureSet(features), columns);
  }
  if (job_.design && searched) AddSearched(features, columns);
}

void ColumnMaker::AddSearched(std::span<const uint64_t> features, BatchColumns* columns) {
  if (job_.search_field) {
    features = PartOfField(features, *job_.search_field);
    if (features.empty()) {  // nothing in this field can be alike
      columns->classes.back().searched = Searched::kByFeatures;
      return;
    }
  }
  bool has_few = false;
  if (job_.few && !DocumentFingerprint::HasMoreFeatures(features, job_.few->most())) {
    const auto set = fingerprint_.FeatureSet(features);
    if (job_.few->TakesPart(set.size())) AddFew(set, columns);
    has_few = job_.few->IsFew(set.size());
    if (has_few) columns->classes.back().searched = Searched::kByFeatures;
  }
  if (has_few) return;
  const auto sketch_of = [&](auto of_text) { return fingerprint_.MakeSketch(of_text); };
  AddSketch(features_.SketchOf(features, sketch_of), columns);
}

void ColumnMaker::AddFew(std::span<const uint64_t> set, BatchColumns* columns) {
  columns->few_sizes.push_back({columns->documents, static_cast<uint32_t>(set.size())});
  for (const uint64_t feature : set) {
    AddKey(OrderOf(feature), columns->documents, &columns->few_features);
  }
}

// Adds classes of documents that estimates cannot distinguish: their sketches and numbers of
// features are equal. A document with an empty sample is in no class; its number of features is
// stored, to distinguish it from a document with too few features.
void ColumnMaker::AddEstimated(const Document& document, BatchColumns* columns) {
  const DocumentSketch made = sketcher_.Make(document);
  const bool searched = made.features != 0 && made.features >= job_.options.LeastFeatures();
  columns->too_short += !searched && made.features != 0;
  StreamHash hash;
  if (searched) {
    const size_t begin = columns->sketches.size();
    AppendStored(made, &columns->sketches);
    hash = HashStream(std::span(columns->sketches).subspan(begin));
    const auto keys = job_.design ? key_coordinates_.Of(made) : std::span<const uint32_t>();
    const bool is_found = !job_.design || !keys.empty();
    if (columns->sketches.size() > begin + 1 && is_found) {
      columns->classes.push_back({hash, 0, columns->documents, Searched::kByKeys});
      if (job_.design) AddSketch(keys, columns);
    }
  }
  columns->sketch_ends.push_back(columns->sketches.size() * sizeof(uint64_t));
  columns->checks.push_back(hash.low);
  columns->repaired_text += made.repaired;
}

void ColumnMaker::AddSketch(std::span<const uint32_t> sketch, BatchColumns* columns) {
  const size_t before = columns->codes.size();
  columns->codes.resize(before + CodeCount(job_.KeySketch().coordinates));
  MakeCodes(sketch, columns->codes.data() + before);
  fingerprint_.MakeKeys(sketch, band_keys_);
  for (const uint64_t key : band_keys_) AddKey(key, columns->documents, &columns->keys);
}

void ColumnMaker::AddKey(uint64_t key, uint32_t doc, std::vector<PackedKey>* keys) {
  keys->push_back({static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), doc});
}

void ColumnMaker::AddSample(std::span<const uint64_t> set, BatchColumns* columns) {
  const ContainmentDesign& design = *job_.containment;
  const SetSketchSpec sample = {SetSketchKind::kFracMinHash, uint64_t{1} << design.base()};
  const uint32_t level = design.LevelOf(set.size());
  SampleSizes sizes = {static_cast<uint32_t>(set.size()), 0};
  for (const uint64_t feature : set) {
    const uint64_t order = OrderOf(feature);
    if (!IsSampled(sample, order)) continue;
    const bool may_look = design.LevelOfKey(design.KeyOf(order, false)) >= level;
    sizes.sampled += may_look;
    AddKey(design.KeyOf(order, may_look), columns->documents, &columns->keys);
  }
  columns->sizes.back() = sizes;
}

}  // namespace lookalike
