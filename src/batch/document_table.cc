#include "batch/document_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#define XXH_INLINE_ALL
#include <tbb/enumerable_thread_specific.h>
#include <xxhash.h>

#include "batch/input_pass.h"
#include "stages/candidates/band_keys.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

/// A set that may belong to the audit's sample.
struct SampledSet {
  StreamHash hash;
  std::vector<uint64_t> set;
};

/// The columns of one batch, made in parallel.
struct BatchColumns {
  uint32_t source = 0;
  DocNumber first_doc = 0;
  bool end_of_source = false;
  std::optional<Error> bad;
  std::vector<StreamHash> streams;
  std::vector<uint64_t> text_hashes, id_hashes;
  std::vector<bool> searched;
  std::vector<uint8_t> codes;
  std::vector<KeyRecord> keys;
  std::vector<uint64_t> lengths;
  std::vector<FieldValue> fields;
  std::vector<Rejection> rejections;
  std::vector<SampledSet> sampled;
  uint64_t null_text = 0, repaired_text = 0;
};

/// Scratch of one thread.
struct Worker {
  Worker(const Job& job, const AuditReservoir& audit)
      : reservoir(audit),
        fingerprinter(job.shingle, job.options.seed),
        sketcher(job.sketch),
        band_keys(job.design ? job.design->keys : 0) {}
  const AuditReservoir& reservoir;
  Fingerprinter fingerprinter;
  Sketcher sketcher;
  std::vector<uint64_t> band_keys;
  std::vector<uint64_t> set;
};

/// Whether a document takes part in the search: it has min_features distinct features.
bool IsSearched(std::span<const uint64_t> features, uint64_t min_features, Worker* worker) {
  if (features.empty() || features.size() < min_features) return false;
  if (min_features <= 1) return true;
  MakeFeatureSet(features, &worker->set);
  return worker->set.size() >= min_features;
}

void AddSketch(const Job& job, std::span<const uint64_t> features, DocNumber doc, Worker* worker,
               BatchColumns* columns) {
  const auto sketch = worker->sketcher.Run(features);
  MakeCodes(sketch,
            columns->codes.data() + columns->codes.size() - CodeCount(job.sketch.coordinates));
  MakeBandKeys(*job.design, sketch, worker->band_keys);
  for (const uint64_t key : worker->band_keys) columns->keys.push_back({doc, key});
}

void AddDocument(const Job& job, Document& document, DocNumber doc, Worker* worker,
                 BatchColumns* columns) {
  const auto features = worker->fingerprinter.Features(document.text);
  const bool searched = IsSearched(features, job.options.min_features, worker);
  const StreamHash stream = HashStream(features);
  if (searched && worker->reservoir.Wants(columns->source, stream)) {
    MakeFeatureSet(features, &worker->set);
    columns->sampled.push_back({stream, worker->set});
  }
  columns->streams.push_back(stream);
  columns->text_hashes.push_back(XXH3_64bits(document.text.data(), document.text.size()));
  if (document.has_id) {
    columns->id_hashes.push_back(XXH3_64bits(document.id.data(), document.id.size()));
  }
  columns->searched.push_back(searched);
  columns->null_text += document.null_text;
  columns->repaired_text += document.repaired || worker->fingerprinter.replaced_invalid();
  if (job.design) {
    columns->codes.resize(columns->codes.size() + CodeCount(job.sketch.coordinates));
    if (searched) AddSketch(job, features, doc, worker, columns);
  }
  const bool by_length =
      job.keep.by == KeepOption::By::kLongest || job.keep.by == KeepOption::By::kShortest;
  if (by_length) columns->lengths.push_back(CountCodePoints(document.text));
  if (job.keep.by == KeepOption::By::kField) {
    columns->fields.push_back(std::move(document.keep_field));
  }
}

BatchColumns MakeColumns(const Job& job, PassItem item, Worker* worker) {
  BatchColumns columns;
  columns.source = item.batch.source;
  columns.first_doc = item.first_doc;
  columns.end_of_source = item.end_of_source;
  columns.bad = std::move(item.bad);
  DocNumber doc = item.first_doc;
  for (Document& document : item.batch.documents) {
    AddDocument(job, document, doc++, worker, &columns);
  }
  for (Rejection& rejection : item.batch.rejections) {
    rejection.raw = {};  // the bytes go with the batch
    columns.rejections.push_back(std::move(rejection));
  }
  return columns;
}

template <class T>
void AppendTo(std::vector<T>* all, std::vector<T>* some) {
  all->insert(all->end(), std::make_move_iterator(some->begin()),
              std::make_move_iterator(some->end()));
}

/// Takes the batches in input order.
class TableBuilder {
 public:
  TableBuilder(const Job& job, const Observer& observer, DocumentTable* table,
               AuditReservoir* reservoir)
      : job_(job), observer_(observer), table_(*table), reservoir_(*reservoir) {
    table_.inputs.first_of_source.resize(job.inputs.size() + 1);
    table_.inputs.skipped.resize(job.inputs.size());
    table_.rejected.resize(job.inputs.size());
  }

  Status Take(BatchColumns columns) {
    if (columns.end_of_source) return EndSource(columns);
    const uint32_t source = columns.source;
    const size_t count = columns.streams.size();
    AppendTo(&table_.streams, &columns.streams);
    AppendTo(&table_.text_hashes, &columns.text_hashes);
    AppendTo(&table_.id_hashes, &columns.id_hashes);
    table_.searched.insert(table_.searched.end(), columns.searched.begin(), columns.searched.end());
    AppendTo(&table_.codes, &columns.codes);
    for (const KeyRecord& record : columns.keys) table_.keys.Append(record);
    AppendTo(&table_.keep.lengths, &columns.lengths);
    AppendTo(&table_.keep.fields, &columns.fields);
    if (job_.keep.by == KeepOption::By::kSource) {
      table_.keep.sources.resize(table_.keep.sources.size() + count, PlaceOf(source));
    }
    for (SampledSet& sampled : columns.sampled) {
      reservoir_.Offer(sampled.hash, std::move(sampled.set));
    }
    table_.documents += count;
    null_text_ += columns.null_text;
    repaired_ += columns.repaired_text;
    return Reject(source, columns.rejections);
  }

 private:
  // Rank of an input in `--keep source:`; those not named come after all that are.
  uint32_t PlaceOf(uint32_t source) const {
    const auto& names = job_.keep.sources;
    const auto at = std::find(names.begin(), names.end(), job_.inputs[source].name);
    return static_cast<uint32_t>(at - names.begin());
  }

  Status Reject(uint32_t source, const std::vector<Rejection>& rejections) {
    for (const Rejection& rejection : rejections) {
      ++table_.rejected[source];
      if (observer_.message) {
        observer_.message(job_.inputs[source].place() + ":" + std::to_string(rejection.row) + ": " +
                          rejection.reason);
      }
      if (++rejected_total_ > job_.options.max_errors) {
        return Fail("more than " + std::to_string(job_.options.max_errors) +
                    " records cannot be read (--max-errors); mend the input or allow more");
      }
    }
    return {};
  }

  Status EndSource(const BatchColumns& columns) {
    const uint32_t source = columns.source;
    if (columns.bad) {
      Forget(source, table_.inputs.first_of_source[source]);
      table_.skip_reasons[source] = columns.bad->what;
      if (observer_.message) observer_.message(columns.bad->ToString() + "; input skipped");
    } else {
      table_.records.null_text += null_text_;
      table_.records.repaired_text += repaired_;
      ids_before_ = table_.id_hashes.size();
    }
    reservoir_.EndSource(source, columns.bad.has_value());
    null_text_ = repaired_ = 0;
    table_.inputs.first_of_source[source + 1] = table_.documents;
    return {};
  }

  // Takes back all documents of an input that turned out bad after some of it was read.
  void Forget(uint32_t source, DocNumber first) {
    table_.inputs.skipped[source] = true;
    ++table_.records.skipped_inputs;
    rejected_total_ -= std::exchange(table_.rejected[source], 0);
    table_.documents = first;
    table_.streams.resize(first);
    table_.text_hashes.resize(first);
    table_.searched.resize(first);
    table_.id_hashes.resize(ids_before_);
    if (job_.design) table_.codes.resize(first * CodeCount(job_.sketch.coordinates));
    table_.keys.DropFrom(first);
    table_.keep.lengths.resize(std::min<size_t>(table_.keep.lengths.size(), first));
    table_.keep.fields.resize(std::min<size_t>(table_.keep.fields.size(), first));
    table_.keep.sources.resize(std::min<size_t>(table_.keep.sources.size(), first));
  }

  const Job& job_;
  const Observer& observer_;
  DocumentTable& table_;
  AuditReservoir& reservoir_;
  uint64_t null_text_ = 0, repaired_ = 0, rejected_total_ = 0;
  size_t ids_before_ = 0;
};

uint64_t CountRepeated(std::vector<uint64_t> hashes) {
  std::sort(hashes.begin(), hashes.end());
  const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
  return hashes.size() - static_cast<uint64_t>(distinct);
}

}  // namespace

Result<DocumentTable> FingerprintInputs(const Job& job, const Observer& observer, size_t threads,
                                        AuditReservoir* reservoir) {
  DocumentTable table;
  PassReader reader(job, nullptr, ReadColumns::kFields, "fingerprint", observer);
  TableBuilder builder(job, observer, &table, reservoir);
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(job, *reservoir); });
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return MakeColumns(job, std::move(item), &workers.local()); },
      [&](BatchColumns columns) { return builder.Take(std::move(columns)); }, threads));
  RecordCounts& records = table.records;
  for (const uint64_t rejected : table.rejected) records.rejected += rejected;
  records.in = table.documents + records.rejected;
  records.repeated_ids = CountRepeated(std::move(table.id_hashes));
  table.id_hashes = {};
  return table;
}

}  // namespace lookalike
