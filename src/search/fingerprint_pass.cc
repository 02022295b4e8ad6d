#include "search/fingerprint_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "io/input_bytes.h"
#include "lookalike/messages.h"
#include "run/lanes.h"
#include "run/pass_progress.h"
#include "search/batch_columns.h"
#include "search/lane_messages.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"

namespace lookalike {
namespace {

using ColumnMakers = tbb::enumerable_thread_specific<ColumnMaker>;

/// The units of a lane, in order.
using LaneUnits = std::vector<RunPointer>;

/// A list of units, both new and from an earlier attempt, in the order of lanes: it numbers their
/// documents and sums up the facts about their inputs.
class UnitList {
 public:
  UnitList(const Job& job, AuditReservoir* reservoir, DocumentUnits* units)
      : job_(job), reservoir_(reservoir), units_(*units) {
    units_.inputs.first_of_source.resize(job.inputs.size() + 1);
    units_.inputs.skipped.resize(job.inputs.size());
    units_.inputs.every_row.resize(job.inputs.size());
    units_.rejected.resize(job.inputs.size());
    units_.codes = DocumentCodes(CodeCount(job.KeySketch().coordinates));
    units_.checks = FixedColumn(sizeof(uint64_t));
    units_.guards = PairGuards(job.choices.guards);
  }

  /// Adds the units of the next lane.
  Status Add(const Lane& lane, const LaneUnits& made) {
    rows_before_ = RowsBefore(lane);
    UnitLane& added = units_.lanes.emplace_back(
        UnitLane{lane, units_.units.size(), 0, rows_before_, first_, first_});
    next_ = {lane.from, rows_before_};
    next_source_ = lane.first;
    for (const RunPointer& run : made) LOOKALIKE_RETURN_IF_ERROR(AddUnit(run));
    added.units = units_.units.size() - added.first_unit;
    added.end_doc = first_;
    return {};
  }

  /// Returns the rows of the first input of the next lane that come before the lane.
  [[nodiscard]] uint64_t RowsBefore(const Lane& lane) const {
    return lane.from != 0 ? open_.rows : 0;
  }

 private:
  Status AddUnit(const RunPointer& run) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto facts, ReadRecords<UnitFacts>(*run, kUnitFacts));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto reasons, ReadRecords<char>(*run, kUnitReasons));
    if (facts.empty()) return EndedEarly({}, "a unit of fingerprints");
    const uint64_t documents = facts.front().documents;
    units_.units.push_back({run, first_, documents, next_source_, next_});
    next_source_ = static_cast<uint32_t>(facts.front().next_source);
    next_ = facts.front().next;
    if (next_source_ == units_.units.back().source) next_.row += rows_before_;
    first_ += documents;
    units_.documents = first_;
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
    if (reservoir_ != nullptr) LOOKALIKE_RETURN_IF_ERROR(OfferSampled(run));
    if (job_.design) units_.codes.AddPart(run, kUnitCodes);
    units_.checks.AddPart(run, kUnitChecks, documents);
    LOOKALIKE_RETURN_IF_ERROR(units_.guards.Add(run, kUnitGuards));
    if (const size_t fields = job_.choices.keep.Fields().size(); fields != 0) {
      units_.keep_texts.AddPart(run, kUnitKeepEnds, kUnitKeepTexts, documents * fields);
    }
    return {};
  }

  void Count(const SourceFacts& facts, std::string_view reason) {
    const auto source = static_cast<uint32_t>(facts.source);
    if (units_.inputs.skipped[source]) {  // by an earlier part of it
      counted_ += facts.documents;
      units_.inputs.first_of_source[source + 1] = counted_;
      return;
    }
    open_.documents += facts.documents;
    open_.rows = std::max(open_.rows, rows_before_ + facts.rows);
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
    units_.rejected[source] = open_.rejected;
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

  /// Returns the next words of a stream that has `left`.
  static Result<std::vector<uint64_t>> NextWords(uint64_t count, uint64_t* left,
                                                 RecordReader<uint64_t>* words) {
    if (count > *left) return EndedEarly({}, "the list of sampled sets");
    *left -= count;
    std::vector<uint64_t> some(count);
    for (uint64_t& word : some) {
      const uint64_t* const next = words->Next();
      if (next == nullptr) return EndedEarly(words->status(), "the list of sampled sets");
      word = *next;
    }
    return some;
  }

  Status OfferSampled(const RunPointer& run) {
    RecordReader<uint64_t> words({run}, kUnitSampled);
    uint64_t left = run->bytes(kUnitSampled) / sizeof(uint64_t);
    RecordReader<SourceFacts> sources({run}, kUnitSources);
    while (const SourceFacts* next = sources.Next()) {
      const SourceFacts& source = *next;
      for (uint64_t i = 0; i < source.sampled; ++i) {
        LOOKALIKE_ASSIGN_OR_RETURN(const auto head, NextWords(3, &left, &words));
        LOOKALIKE_ASSIGN_OR_RETURN(auto set, NextWords(head[2], &left, &words));
        reservoir_->Offer({head[0], head[1]}, std::move(set));
      }
      const auto input = static_cast<uint32_t>(source.source);
      if (source.ended != 0 || units_.inputs.skipped[input]) {
        reservoir_->EndSource(input, units_.inputs.skipped[input]);
      }
    }
    return sources.status();
  }

  const Job& job_;
  AuditReservoir* reservoir_;
  DocumentUnits& units_;
  SourceFacts open_;          // of the current input
  uint64_t rows_before_ = 0;  // of the first input of the lane, before the lane
  uint32_t next_source_ = 0;  // where the next unit of the lane begins
  ReadPosition next_;
  DocNumber first_ = 0, counted_ = 0;
};

/// Returns the name of a unit of a lane.
std::string UnitName(size_t lane, size_t unit) {
  return "fingerprint/" + std::to_string(lane) + "/" + std::to_string(unit);
}

/// A lane to read, and what all lanes share.
struct LaneContext {
  const Job& job;
  const Observer& observer;
  Workspace* workspace;
  const Lane& lane;
  size_t number;  ///< The lane's position among all.
  LaneShare share;
  LaneMessages* messages;
  PassProgress* progress;
};

/// A writer of the units of a lane, which takes the columns of batches in input order.
class UnitWriter {
 public:
  UnitWriter(const LaneContext& context, LaneUnits* made, AuditReservoir* sampled)
      : job_(context.job),
        workspace_(*context.workspace),
        number_(context.number),
        messages_(*context.messages),
        made_(*made),
        sampled_(*sampled) {}

  Status Take(BatchColumns columns) {
    if (!writer_) {
      writer_ = workspace_.Begin(UnitName(number_, made_.size()),
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
    // Lanes of a file that can be cut have up to twice this size, and each of them is one unit.
    return bytes_ >= 2 * workspace_.lane_bytes() && columns.whole ? Finish() : Status();
  }

  /// Ends the last unit.
  Status Finish() {
    if (!writer_) return {};
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kUnitFacts, facts_));
    LOOKALIKE_RETURN_IF_ERROR(CloseSource());
    LOOKALIKE_ASSIGN_OR_RETURN(made_.emplace_back(), writer_->Finish());
    writer_.reset();
    facts_.documents = bytes_ = 0;
    return {};
  }

 private:
  /// Writes the facts about the current input.
  Status CloseSource() {
    LOOKALIKE_RETURN_IF_ERROR(WriteSampled());
    const SourceFacts facts = *std::exchange(source_, std::nullopt);
    return writer_->AppendRecord(kUnitSources, facts);
  }

  Status Append(BatchColumns* columns) {
    RunWriter* to = writer_.get();
    for (ClassRecord& record : columns->classes) record.doc += Base();
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitChecks, columns->checks));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitGuards, columns->guards));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitCodes, columns->codes));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitSizes, columns->sizes));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeep(&columns->keep));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitClasses, columns->classes));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitBottom, columns->bottom));
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitIds, columns->ids));
    LOOKALIKE_RETURN_IF_ERROR(AppendSketches(columns));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeys(kUnitKeys, columns->keys));
    LOOKALIKE_RETURN_IF_ERROR(AppendKeys(kUnitKeys + job_.partitions(), columns->few_features));
    for (FewSize& size : columns->few_sizes) size.doc += Base();
    LOOKALIKE_RETURN_IF_ERROR(to->AppendRecords(kUnitFewSizes, columns->few_sizes));
    Sample(columns);
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
    return Reject(columns->source, &columns->rejections);
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
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitSketchEnds, columns->sketch_ends));
    return writer_->AppendRecords(kUnitSketches, columns->sketches);
  }

  Status AppendKeep(KeepColumn* keep) {
    const uint64_t before = writer_->bytes(kUnitKeepTexts);
    for (uint64_t& end : keep->ends) end += before;
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitKeep, keep->words));
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitKeepEnds, keep->ends));
    return writer_->Append(kUnitKeepTexts, std::as_bytes(std::span(keep->texts)));
  }

  [[nodiscard]] uint32_t Base() const { return static_cast<uint32_t>(facts_.documents); }

  void Sample(BatchColumns* columns) {
    for (SampledSet& sampled : columns->sampled) {
      if (!sampled_.Wants(columns->source, sampled.hash)) continue;
      offered_.push_back(sampled.hash);
      sampled_.Offer(sampled.hash, std::move(sampled.set));
    }
  }

  /// Writes the sets of the current input that may still belong to the sample: of those that were
  /// wanted when they came, most are not.
  Status WriteSampled() {
    std::sort(offered_.begin(), offered_.end());
    offered_.erase(std::unique(offered_.begin(), offered_.end()), offered_.end());
    for (const StreamHash& hash : offered_) {
      const std::vector<uint64_t>* const set = sampled_.OpenSet(hash);
      if (set == nullptr) continue;
      const uint64_t head[] = {hash.low, hash.high, set->size()};
      LOOKALIKE_RETURN_IF_ERROR(writer_->Append(kUnitSampled, std::as_bytes(std::span(head))));
      LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitSampled, *set));
      ++source_->sampled;
    }
    offered_.clear();
    return {};
  }

  Status Reject(uint32_t source, std::vector<Rejection>* rejections) {
    for (Rejection& rejection : *rejections) {
      ++source_->rejected;
      LOOKALIKE_RETURN_IF_ERROR(Report({source, rejection.row, std::move(rejection.reason)}));
    }
    return {};
  }

  /// Reports a message, and stores it for an attempt that finds this unit finished.
  Status Report(LaneMessage message) {
    const auto bytes = static_cast<uint32_t>(message.text.size());
    LOOKALIKE_RETURN_IF_ERROR(
        writer_->AppendRecord(kUnitMessages, StoredMessage{message.source, bytes, message.row}));
    LOOKALIKE_RETURN_IF_ERROR(
        writer_->Append(kUnitMessageTexts, std::as_bytes(std::span(message.text))));
    return messages_.Add(number_, std::move(message));
  }

  Status EndSource(const BatchColumns& columns) {
    SourceFacts& source = *source_;
    source.ended = 1;
    if (columns.bad) {
      source.bad = 1;
      LOOKALIKE_RETURN_IF_ERROR(
          Report({columns.source, 0, columns.bad->Marked() + "; input skipped"}));
      LOOKALIKE_RETURN_IF_ERROR(
          writer_->Append(kUnitReasons, std::as_bytes(std::span(columns.bad->what))));
      source.reason_end = writer_->bytes(kUnitReasons);
    }
    LOOKALIKE_RETURN_IF_ERROR(WriteSampled());
    sampled_.EndSource(columns.source, columns.bad.has_value());
    facts_.next_source = columns.source + 1;
    facts_.next = {};
    return {};
  }

  const Job& job_;
  Workspace& workspace_;
  size_t number_;
  LaneMessages& messages_;
  LaneUnits& made_;
  AuditReservoir& sampled_;
  std::vector<StreamHash> offered_;  // of the current input's part in the unit
  std::unique_ptr<RunWriter> writer_;
  UnitFacts facts_;
  std::optional<SourceFacts> source_;  // the current input
  uint64_t bytes_ = 0;
};

/// Passes the id hashes of a unit to the sorter, but not from skipped inputs or a reference.
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

/// Counts the documents whose id an earlier document already has.
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

namespace {

/// Reports the messages of a finished unit: it is not known whether the earlier attempt did.
Status RepeatMessages(const Run& run, const LaneContext& context) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stored, ReadRecords<StoredMessage>(run, kUnitMessages));
  uint64_t begin = 0;
  for (const StoredMessage& message : stored) {
    std::string text(message.bytes, '\0');
    LOOKALIKE_RETURN_IF_ERROR(
        run.Read(kUnitMessageTexts, begin, std::as_writable_bytes(std::span(text))));
    begin += message.bytes;
    LOOKALIKE_RETURN_IF_ERROR(
        context.messages->Add(context.number, {message.source, message.row, std::move(text)}));
  }
  return {};
}

/// Adopts the units of a lane that an earlier attempt finished. Returns the range that is left.
Result<PassRange> TakeFinished(const LaneContext& context, LaneUnits* made) {
  const Lane& lane = context.lane;
  PassRange left = {.source = lane.first,
                    .position = {lane.from, 0},
                    .end_source = lane.end,
                    .until = lane.until,
                    .at_cut = lane.from != 0,
                    .ahead = context.share.ahead,
                    .progress = context.progress};
  // The tasks of the next stage share the lanes whose files they hash.
  const bool hashes =
      context.workspace->IsToDo(kSurveyStage, context.number % context.job.key_units());
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const RunPointer run,
        context.workspace->Finished(UnitName(context.number, made->size()), hashes));
    if (!run) {
      const bool whole =
          context.workspace->adopts_units() && !context.workspace->IsIn(kFingerprintStage);
      if (whole) left.source = left.end_source;
      return left;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto facts, ReadRecords<UnitFacts>(*run, kUnitFacts));
    if (facts.empty()) return EndedEarly({}, "a unit of fingerprints");
    LOOKALIKE_RETURN_IF_ERROR(RepeatMessages(*run, context));
    made->push_back(run);
    if (context.workspace->adopts_units()) continue;  // A record lists all units of a lane.
    left.source = static_cast<uint32_t>(facts.front().next_source);
    left.position = facts.front().next;
    left.at_cut = false;
  }
}

/// The bounds on the audit's sample that lanes share, so that a lane need not begin with a sample
/// of its own.
class SampleBounds {
 public:
  explicit SampleBounds(const std::vector<Lane>& lanes) {
    for (const Lane& lane : lanes) {
      if (lane.is_part()) of_cut_inputs_.try_emplace(lane.first);
    }
  }

  [[nodiscard]] AuditReservoir::Shared For(const Lane& lane) {
    return {&of_all_, lane.is_part() ? &of_cut_inputs_.at(lane.first) : nullptr};
  }

  /// Takes the bounds of the sample that the lanes taken so far leave. Otherwise each lane of one
  /// large input would sample as much as is sampled of all of it.
  void Lower(const AuditReservoir& taken) {
    of_all_.Lower(taken.bound());
    const auto open = of_cut_inputs_.find(taken.open_source());
    if (open != of_cut_inputs_.end()) open->second.Lower(taken.open_bound());
  }

 private:
  SampleBound of_all_;
  std::map<uint32_t, SampleBound> of_cut_inputs_;
};

Result<LaneUnits> ReadLane(const LaneContext& context, SampleBounds* bounds, ColumnMakers* makers) {
  LaneUnits made;
  LOOKALIKE_ASSIGN_OR_RETURN(const PassRange range, TakeFinished(context, &made));
  if (range.source >= range.end_source) return made;
  AuditReservoir sampled(context.job.AuditDocuments(), bounds->For(context.lane), range.source);
  PassReader reader(context.job, nullptr, ReadColumns::kFields, "fingerprint", context.observer,
                    range);
  UnitWriter writer(context, &made, &sampled);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return makers->local().Make(std::move(item), sampled); },
      [&](BatchColumns columns) { return writer.Take(std::move(columns)); },
      context.share.batches));
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  return made;
}

}  // namespace

Result<DocumentUnits> FingerprintInputs(const Job& job, const Observer& observer,
                                        Workspace* workspace, AuditReservoir* reservoir) {
  DocumentUnits units;
  UnitList list(job, reservoir, &units);
  const uint64_t lane_bytes = LaneBytes(workspace->lane_bytes(), job.options.output_shard);
  const std::vector<Lane> lanes =
      CutIntoLanes(job.inputs, lane_bytes, job.cuts ? *job.cuts : FindCuts(job.inputs, lane_bytes));
  LOOKALIKE_RETURN_IF_ERROR(CheckStores(job.inputs));
  const LaneShare share = ShareBatches(lanes.size(), workspace->memory());
  LaneMessages messages(job, observer);
  PassProgress progress("fingerprint", GuessedBytes(job), observer);
  ColumnMakers makers([&] { return ColumnMaker(job); });
  SampleBounds bounds(lanes);
  const auto read = [&](size_t i) {
    const LaneContext context = {job, observer, workspace, lanes[i],
                                 i,   share,    &messages, &progress};
    return ReadLane(context, &bounds, &makers);
  };
  if (workspace->IsIn(kFingerprintStage)) {
    const std::vector<size_t> mine = workspace->ToDo(kFingerprintStage, lanes.size());
    LOOKALIKE_RETURN_IF_ERROR(RunLanes(
        mine.size(), share, [&](size_t i) { return read(mine[i]); },
        [&](size_t i, const LaneUnits& made) {
          std::vector<std::string> names;
          for (size_t unit = 0; unit < made.size(); ++unit) {
            names.push_back(UnitName(mine[i], unit));
          }
          return workspace->Record(kFingerprintStage, mine[i], std::move(names));
        }));
    LOOKALIKE_RETURN_IF_ERROR(workspace->EndStage(kFingerprintStage));
  }
  const auto take = [&](size_t i, const LaneUnits& made) -> Status {
    LOOKALIKE_RETURN_IF_ERROR(list.Add(lanes[i], made));
    if (reservoir != nullptr) bounds.Lower(*reservoir);
    return i + 1 < lanes.size() ? messages.GoOn(list.RowsBefore(lanes[i + 1])) : Status();
  };
  LOOKALIKE_RETURN_IF_ERROR(RunLanes(lanes.size(), share, read, take));
  units.records.left_out_inputs = job.left_out.count();
  if (workspace->MakesResult()) {  // Only the summary has the count.
    LOOKALIKE_ASSIGN_OR_RETURN(units.records.repeated_ids, CountRepeatedIds(job, units, workspace));
  }
  return units;
}

}  // namespace lookalike
