#include "batch/batch_columns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace lookalike {

ColumnMaker::ColumnMaker(const Job& job, const AuditReservoir& reservoir)
    : job_(job),
      reservoir_(reservoir),
      fingerprint_(job.Fingerprint()),
      sketcher_(job.features, job.Kept()),
      key_coordinates_(job.Kept()),
      bottom_(AuditIndex::SketchSize(job.options.threshold)),
      band_keys_(fingerprint_.keys()) {}

BatchColumns ColumnMaker::Make(PassItem item) {
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
    rejection.raw = {};  // the bytes go with the batch
    columns.rejections.push_back(std::move(rejection));
  }
  return columns;
}

void ColumnMaker::Add(Document& document, BatchColumns* columns) {
  // Something for the columns too, so that empty documents fill units as well.
  columns->bytes +=
      64 + std::max({document.raw.size(), document.text.size(), document.sketch.size()});
  if (document.has_id) {
    columns->ids.push_back(XXH3_64bits(document.id.data(), document.id.size()));
  }
  if (job_.design) {
    columns->codes.resize(columns->codes.size() + CodeCount(job_.KeySketch().coordinates));
  }
  job_.estimates() ? AddEstimated(document, columns) : AddFeatures(document, columns);
  columns->null_text += document.null_text;
  AppendKeepValue(job_.keep, document, &columns->keep);
  ++columns->documents;
}

void ColumnMaker::AddFeatures(const Document& document, BatchColumns* columns) {
  const auto features = fingerprint_.Features(document.text, document.kind);
  const bool searched = fingerprint_.IsSearched(features);
  const StreamHash stream = HashStream(features);
  if (searched && reservoir_.Wants(columns->source, stream)) {
    const auto set = fingerprint_.FeatureSet(features);
    columns->sampled.push_back({stream, {set.begin(), set.end()}});
  }
  columns->checks.push_back(stream.low);
  if (searched || (features.empty() && job_.options.exact_empty && !job_.rules.all_pairs)) {
    const uint64_t text_hash = XXH3_64bits(document.text.data(), document.text.size());
    columns->classes.push_back({stream, text_hash, columns->documents, searched ? 1U : 0U});
  }
  if (searched && job_.options.audit_documents != 0 && !job_.measures_containment()) {
    const auto sketch = bottom_.Run(features);
    columns->bottom.insert(columns->bottom.end(), sketch.begin(), sketch.end());
  }
  columns->repaired_text += document.repaired || fingerprint_.replaced_invalid();
  if (job_.containment) {
    columns->sizes.emplace_back();
    if (searched) AddSample(fingerprint_.FeatureSet(features), columns);
  }
  if (job_.design && searched) AddSketch(fingerprint_.MakeSketch(features), columns);
}

// Classes are of documents that no estimate can tell apart: of equal sketches and equal numbers of
// features. A document of which nothing was sampled is in none: its number of features is stored,
// so that it can be told from one that has too few.
void ColumnMaker::AddEstimated(const Document& document, BatchColumns* columns) {
  const DocumentSketch made = sketcher_.Make(document);
  StreamHash hash;
  if (made.features != 0 && made.features >= job_.options.LeastFeatures()) {
    const size_t begin = columns->sketches.size();
    AppendStored(made, &columns->sketches);
    hash = HashStream(std::span(columns->sketches).subspan(begin));
    if (columns->sketches.size() > begin + 1) {
      columns->classes.push_back({hash, 0, columns->documents, 1});
      if (job_.design) AddSketch(key_coordinates_.Of(made), columns);
    }
  }
  columns->sketch_ends.push_back(columns->sketches.size() * sizeof(uint64_t));
  columns->checks.push_back(hash.low);
  columns->repaired_text += made.repaired;
}

void ColumnMaker::AddSketch(std::span<const uint32_t> sketch, BatchColumns* columns) {
  MakeCodes(sketch, columns->codes.data() + columns->codes.size() -
                        CodeCount(job_.KeySketch().coordinates));
  fingerprint_.MakeKeys(sketch, band_keys_);
  for (const uint64_t key : band_keys_) AddKey(key, columns);
}

void ColumnMaker::AddKey(uint64_t key, BatchColumns* columns) {
  columns->keys.push_back(
      {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), columns->documents});
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
    AddKey(design.KeyOf(order, may_look), columns);
  }
  columns->sizes.back() = sizes;
}

}  // namespace lookalike
