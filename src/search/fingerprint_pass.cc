#include "search/fingerprint_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <utility>

#include "lookalike/messages.h"
#include "search/batch_columns.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"

namespace lookalike {
namespace {

/// Size of the records that a unit covers: large enough that a file and its fsync cost little in
/// comparison, small enough that a crash loses little work.
constexpr uint64_t kUnitBytes = uint64_t{64} << 20;

template <class T>
Status AppendAll(RunWriter* writer, uint32_t stream, const std::vector<T>& records) {
  if (records.empty()) return {};
  return writer->Append(stream, std::as_bytes(std::span(records)));
}

/// A list of units, both new and from an earlier attempt: it numbers their documents and sums up
/// the facts about their inputs.
class UnitList {
 public:
  UnitList(const Job& job, AuditReservoir* reservoir, DocumentUnits* units)
      : job_(job), reservoir_(*reservoir), units_(*units) {
    units_.inputs.first_of_source.resize(job.inputs.size() + 1);
    units_.inputs.skipped.resize(job.inputs.size());
    units_.inputs.every_row.resize(job.inputs.size());
    units_.rejected.resize(job.inputs.size());
    units_.codes = DocumentCodes(CodeCount(job.KeySketch().coordinates));
    units_.checks = FixedColumn(sizeof(uint64_t));
  }

  /// Adds a finished unit. `offer`: its sampled sets are not in the reservoir yet.
  Status Add(const RunPointer& run, bool offer) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto facts, ReadRecords<UnitFacts>(*run, kUnitFacts));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto reasons, ReadRecords<char>(*run, kUnitReasons));
    if (facts.empty()) return EndedEarly({}, "a unit of fingerprints");
    if (offer) LOOKALIKE_RETURN_IF_ERROR(OfferSampled(run));
    uint64_t begin = 0;
    RecordReader<SourceFacts> sources({run}, kUnitSources);
    while (const SourceFacts* source = sources.Next()) {
      if (source->reason_end < begin || source->reason_end > reasons.size()) {
        return EndedEarly({}, "the list of reasons why inputs are skipped");
      }
      Count(*source, {reasons.data() + begin, source->reason_end - begin});
      begin = source->reason_end;
    }
    LOOKALIKE_RETURN_IF_ERROR(sources.status());
    const uint64_t documents = facts.front().documents;
    units_.units.push_back({run, first_, documents, next_.source, next_.position});
    first_ += documents;
    units_.documents = first_;
    if (job_.design) units_.codes.AddPart(run, kUnitCodes);
    units_.checks.AddPart(run, kUnitChecks, documents);
    if (job_.choices.keep.by == KeepOption::By::kField) {
      units_.keep_texts.AddPart(run, kUnitKeepEnds, kUnitKeepTexts, documents);
    }
    next_ = {static_cast<uint32_t>(facts.front().next_source), facts.front().next, first_};
    return {};
  }

  /// Returns where reading continues.
  [[nodiscard]] const PassRange& next() const { return next_; }
  /// Records rejected so far, including those of the current input.
  [[nodiscard]] uint64_t rejected() const { return rejected_ + open_.rejected; }
  [[nodiscard]] uint64_t rejected_at_hand() const { return open_.rejected; }

 private:
  void Count(const SourceFacts& facts, std::string_view reason) {
    const auto source = static_cast<uint32_t>(facts.source);
    open_.documents += facts.documents;
    open_.rows = std::max(open_.rows, facts.rows);
    open_.rejected += facts.rejected;
    open_.bytes += facts.bytes;
    open_.null_text += facts.null_text;
    open_.repaired_text += facts.repaired_text;
    open_.too_short += facts.too_short;
    counted_ += facts.documents;
    if (facts.ended == 0) return;
    units_.inputs.first_of_source[source + 1] = counted_;
    RecordCounts& records = units_.records;
    if (facts.bad != 0) {
      units_.inputs.skipped[source] = true;
      units_.skip_reasons[source] = InPlainWords(reason);
      ++records.skipped_inputs;
      open_ = {};
      return;
    }
    units_.inputs.every_row[source] = open_.rejected == 0 && open_.rows == open_.documents;
    units_.plain_bytes += open_.bytes;
    if (IsPacked(job_.inputs[source])) units_.packed_bytes += open_.bytes;
    rejected_ += units_.rejected[source] = open_.rejected;
    if (source < job_.reference_inputs) {
      records.reference += open_.documents;
      records.rejected_reference += open_.rejected;
      records.too_short_reference += open_.too_short;
    } else {
      records.in += open_.documents + open_.rejected;
      records.rejected += open_.rejected;
      records.null_text += open_.null_text;
      records.repaired_text += open_.repaired_text;
      records.too_short += open_.too_short;
    }
    open_ = {};
  }

  Status OfferSampled(const RunPointer& run) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto words, ReadRecords<uint64_t>(*run, kUnitSampled));
    size_t at = 0;
    RecordReader<SourceFacts> sources({run}, kUnitSources);
    while (const SourceFacts* next = sources.Next()) {
      const SourceFacts& source = *next;
      for (uint64_t i = 0; i < source.sampled; ++i) {
        const uint64_t left = words.size() - at;
        if (left < 3 || words[at + 2] > left - 3) {
          return EndedEarly({}, "the list of sampled sets");
        }
        const uint64_t count = words[at + 2];
        const auto begin = words.begin() + static_cast<ptrdiff_t>(at) + 3;
        reservoir_.Offer({words[at], words[at + 1]},
                         {begin, begin + static_cast<ptrdiff_t>(count)});
        at += 3 + count;
      }
      if (source.ended != 0) {
        reservoir_.EndSource(static_cast<uint32_t>(source.source), source.bad != 0);
      }
    }
    return sources.status();
  }

  const Job& job_;
  AuditReservoir& reservoir_;
  DocumentUnits& units_;
  SourceFacts open_;       // of the current input
  uint64_t rejected_ = 0;  // of finished inputs
  DocNumber first_ = 0, counted_ = 0;
  PassRange next_;
};

/// A writer of units, which takes the columns of batches in input order.
class UnitWriter {
 public:
  UnitWriter(const Job& job, const Observer& observer, Workspace* workspace,
             AuditReservoir* reservoir, UnitList* list, uint64_t unit)
      : job_(job),
        observer_(observer),
        workspace_(*workspace),
        reservoir_(*reservoir),
        list_(*list),
        next_unit_(unit),
        rejected_(list->rejected()),
        rejected_of_source_(list->rejected_at_hand()) {}

  Status Take(BatchColumns columns) {
    if (!writer_) {
      writer_ = workspace_.Begin("fingerprint/" + std::to_string(next_unit_++),
                                 kUnitKeys + (job_.few ? 2 : 1) * job_.partitions());
    }
    if (source_ && source_->source != columns.source) LOOKALIKE_RETURN_IF_ERROR(CloseSource());
    if (!source_) {
      source_ = SourceFacts{.source = columns.source, .reason_end = writer_->bytes(kUnitReasons)};
    }
    if (columns.end_of_source) {
      LOOKALIKE_RETURN_IF_ERROR(EndSource(columns));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(Append(&columns));
    }
    source_->bytes += columns.bytes;
    bytes_ += columns.bytes;
    return bytes_ >= kUnitBytes && columns.whole ? Finish() : Status();
  }

  /// Ends the last unit.
  Status Finish() {
    if (!writer_) return {};
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kUnitFacts, facts_));
    LOOKALIKE_RETURN_IF_ERROR(CloseSource());
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer_->Finish());
    writer_.reset();
    facts_.documents = bytes_ = 0;
    return list_.Add(run, false);
  }

 private:
  /// Writes the facts about the current input.
  Status CloseSource() {
    const SourceFacts facts = *std::exchange(source_, std::nullopt);
    return writer_->AppendRecord(kUnitSources, facts);
  }

  Status Append(BatchColumns* columns) {
    RunWriter* to = writer_.get();
    for (ClassRecord& record : columns->classes) record.doc += Base();
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitChecks, columns->checks));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitCodes, columns->codes));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitSizes, columns->sizes));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeep(&columns->keep));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitClasses, columns->classes));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitBottom, columns->bottom));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitIds, columns->ids));
    LOOKALIKE_RETURN_IF_ERROR(AppendSketches(columns));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeys(kUnitKeys, columns->keys));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeys(kUnitKeys + job_.partitions(), columns->few_features));
    for (FewSize& size : columns->few_sizes) size.doc += Base();
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(to, kUnitFewSizes, columns->few_sizes));
    LOOKALIKE_RETURN_IF_ERROR(Sample(columns));
    SourceFacts& source = *source_;
    source.documents += columns->documents;
    source.rows = columns->end.row;
    source.ids += columns->ids.size();
    source.null_text += columns->null_text;
    source.repaired_text += columns->repaired_text;
    source.too_short += columns->too_short;
    facts_.documents += columns->documents;
    facts_.next_source = columns->source;
    facts_.next = columns->end;
    return Reject(columns->source, columns->rejections);
  }

  /// Appends keys, each to the stream of its partition.
  Status AppendKeys(uint32_t first_stream, const std::vector<PackedKey>& keys) {
    for (PackedKey key : keys) {
      key.doc += Base();
      const uint32_t partition = workspace_.PartitionOf(key.key(), job_.partition_bits);
      LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(first_stream + partition, key));
    }
    return {};
  }

  Status AppendSketches(BatchColumns* columns) {
    const uint64_t before = writer_->bytes(kUnitSketches);
    for (uint64_t& end : columns->sketch_ends) end += before;
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(writer_.get(), kUnitSketchEnds, columns->sketch_ends));
    return AppendAll(writer_.get(), kUnitSketches, columns->sketches);
  }

  Status AppendKeep(KeepColumn* keep) {
    const uint64_t before = writer_->bytes(kUnitKeepTexts);
    for (uint64_t& end : keep->ends) end += before;
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(writer_.get(), kUnitKeep, keep->words));
    LOOKALIKE_RETURN_IF_ERROR(AppendAll(writer_.get(), kUnitKeepEnds, keep->ends));
    return writer_->Append(kUnitKeepTexts, std::as_bytes(std::span(keep->texts)));
  }

  [[nodiscard]] uint32_t Base() const { return static_cast<uint32_t>(facts_.documents); }

  Status Sample(BatchColumns* columns) {
    for (SampledSet& sampled : columns->sampled) {
      if (!reservoir_.Wants(columns->source, sampled.hash)) continue;
      const uint64_t head[] = {sampled.hash.low, sampled.hash.high, sampled.set.size()};
      LOOKALIKE_RETURN_IF_ERROR(writer_->Append(kUnitSampled, std::as_bytes(std::span(head))));
      LOOKALIKE_RETURN_IF_ERROR(AppendAll(writer_.get(), kUnitSampled, sampled.set));
      ++source_->sampled;
      reservoir_.Offer(sampled.hash, std::move(sampled.set));
    }
    return {};
  }

  Status Reject(uint32_t source, const std::vector<Rejection>& rejections) {
    for (const Rejection& rejection : rejections) {
      ++source_->rejected;
      LOOKALIKE_RETURN_IF_ERROR(TakeRejection(job_, observer_, source, rejection, ++rejected_));
    }
    rejected_of_source_ += rejections.size();
    return {};
  }

  Status EndSource(const BatchColumns& columns) {
    SourceFacts& source = *source_;
    source.ended = 1;
    if (columns.bad) {
      source.bad = 1;
      rejected_ -= rejected_of_source_;
      if (observer_.message) observer_.message(columns.bad->Marked() + "; input skipped");
      LOOKALIKE_RETURN_IF_ERROR(
          writer_->Append(kUnitReasons, std::as_bytes(std::span(columns.bad->what))));
      source.reason_end = writer_->bytes(kUnitReasons);
    }
    rejected_of_source_ = 0;
    reservoir_.EndSource(columns.source, columns.bad.has_value());
    facts_.next_source = columns.source + 1;
    facts_.next = {};
    return {};
  }

  const Job& job_;
  const Observer& observer_;
  Workspace& workspace_;
  AuditReservoir& reservoir_;
  UnitList& list_;
  uint64_t next_unit_;
  std::unique_ptr<RunWriter> writer_;
  UnitFacts facts_;
  std::optional<SourceFacts> source_;  // the current input
  uint64_t bytes_ = 0, rejected_, rejected_of_source_;
};

/// Passes the id hashes of a unit to the sorter, leaving out those of skipped inputs and of a
/// reference.
Status AddIds(const Job& job, const DocumentUnits& units, const Unit& unit,
              Sorter<uint64_t>* sorter) {
  RecordReader<uint64_t> ids({unit.run}, kUnitIds);
  RecordReader<SourceFacts> sources({unit.run}, kUnitSources);
  while (const SourceFacts* next = sources.Next()) {
    const SourceFacts& source = *next;
    for (uint64_t i = 0; i < source.ids; ++i) {
      const uint64_t* id = ids.Next();
      if (id == nullptr) return EndedEarly(ids.status(), "the list of ids");
      if (units.inputs.skipped[source.source] || source.source < job.reference_inputs) continue;
      LOOKALIKE_RETURN_IF_ERROR(sorter->Add(*id));
    }
  }
  return sources.status();
}

/// Counts the documents whose id repeats that of an earlier document.
Result<uint64_t> CountRepeatedIds(const Job& job, const DocumentUnits& units,
                                  Workspace* workspace) {
  Sorter<uint64_t> sorter(&workspace->store(), workspace->memory().work);
  for (const Unit& unit : units.units) {
    LOOKALIKE_RETURN_IF_ERROR(AddIds(job, units, unit, &sorter));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter.Finish());
  uint64_t repeated = 0;
  std::optional<uint64_t> last;
  while (const uint64_t* id = sorted.Next()) {
    repeated += last == *id;
    last = *id;
  }
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  return repeated;
}

}  // namespace

bool DocumentUnits::IsAlive(DocNumber doc) const {
  if (skip_reasons.empty()) return true;
  const auto& first = inputs.first_of_source;
  const auto after = std::upper_bound(first.begin() + 1, first.end(), doc);
  return after == first.end() || !inputs.skipped[static_cast<size_t>(after - first.begin()) - 1];
}

std::vector<RunPointer> DocumentUnits::runs() const {
  std::vector<RunPointer> all;
  for (const Unit& unit : units) all.push_back(unit.run);
  return all;
}

Result<DocumentUnits> FingerprintInputs(const Job& job, const Observer& observer,
                                        Workspace* workspace, AuditReservoir* reservoir) {
  DocumentUnits units;
  UnitList list(job, reservoir, &units);
  for (uint64_t unit = 0;; ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run,
                               workspace->Finished("fingerprint/" + std::to_string(unit)));
    if (!run) break;
    LOOKALIKE_RETURN_IF_ERROR(list.Add(run, true));
  }
  PassRange range = list.next();
  range.ahead = workspace->memory().ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "fingerprint", observer, range);
  UnitWriter writer(job, observer, workspace, reservoir, &list, units.units.size());
  tbb::enumerable_thread_specific<ColumnMaker> makers([&] { return ColumnMaker(job, *reservoir); });
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return makers.local().Make(std::move(item)); },
      [&](BatchColumns columns) { return writer.Take(std::move(columns)); },
      workspace->memory().batches));
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  units.records.left_out_inputs = job.left_out.count();
  LOOKALIKE_ASSIGN_OR_RETURN(units.records.repeated_ids, CountRepeatedIds(job, units, workspace));
  return units;
}

}  // namespace lookalike
