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
  const auto features = fingerprint_.Features(document.text);
  const bool searched = fingerprint_.IsSearched(features);
  const StreamHash stream = HashStream(features);
  if (searched && reservoir_.Wants(columns->source, stream)) {
    const auto set = fingerprint_.FeatureSet(features);
    columns->sampled.push_back({stream, {set.begin(), set.end()}});
  }
  // Something for the columns too, so that empty documents fill units as well.
  columns->bytes += 64 + std::max(document.raw.size(), document.text.size());
  columns->checks.push_back(stream.low);
  if (document.has_id) {
    columns->ids.push_back(XXH3_64bits(document.id.data(), document.id.size()));
  }
  if (searched || (features.empty() && job_.options.exact_empty && !job_.rules.all_pairs)) {
    const uint64_t text_hash = XXH3_64bits(document.text.data(), document.text.size());
    columns->classes.push_back({stream, text_hash, columns->documents, searched ? 1U : 0U});
  }
  if (searched && job_.options.audit_documents != 0) {
    const auto sketch = bottom_.Run(features);
    columns->bottom.insert(columns->bottom.end(), sketch.begin(), sketch.end());
  }
  columns->null_text += document.null_text;
  columns->repaired_text += document.repaired || fingerprint_.replaced_invalid();
  if (job_.design) {
    columns->codes.resize(columns->codes.size() + CodeCount(job_.sketch.coordinates));
    if (searched) AddSketch(features, columns);
  }
  AppendKeepValue(job_.keep, document, &columns->keep);
  ++columns->documents;
}

void ColumnMaker::AddSketch(std::span<const uint64_t> features, BatchColumns* columns) {
  const auto sketch = fingerprint_.MakeSketch(features);
  MakeCodes(sketch,
            columns->codes.data() + columns->codes.size() - CodeCount(job_.sketch.coordinates));
  fingerprint_.MakeKeys(sketch, band_keys_);
  for (const uint64_t key : band_keys_) {
    columns->keys.push_back(
        {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), columns->documents});
  }
}

}  // namespace lookalike
