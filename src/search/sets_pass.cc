#include "search/sets_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "run/input_pass.h"
#include "run/lanes.h"
#include "run/pass_progress.h"
#include "search/document_features.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

enum SetsStream : uint32_t {
  kSetsEnds,      ///< End of each set in kSetsFeatures, in bytes.
  kSetsFeatures,  ///< uint64_t features.
  kSetsHits,      ///< AuditHit records.
  kSetsStreams,
};

struct BatchSets {
  Status status;
  std::vector<DocNumber> documents;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> features;
  std::vector<AuditHit> hits;  // by document
};

std::string SetsUnit(size_t unit) { return "sets/" + std::to_string(unit); }

/// The input of a batch's map function; nothing in it changes during the pass.
struct Given {
  const Job& job;
  const DocumentUnits& units;
  const Bitmap& wanted;
  const Bitmap& searched;
  const AuditQuestions& audit;
};

Status FailChanged() {
  return InputError(
      "the inputs changed while they were read; run again when nothing writes to them");
}

/// Checks that the stream hashes are the same as in pass one.
Status CheckUnchanged(const Given& given, const std::vector<DocNumber>& documents,
                      const std::vector<uint64_t>& seen) {
  if (given.units.checks.size() == 0) return {};  // pass one was that of another run
  std::vector<uint64_t> expected(documents.size());
  LOOKALIKE_RETURN_IF_ERROR(
      given.units.checks.Gather(documents, reinterpret_cast<std::byte*>(expected.data())));
  return expected == seen ? Status() : FailChanged();
}

/// The memory of feature sets that were written, for the batches that come: fresh memory costs a
/// page fault for every 4 KiB. There are at most as many as batches in flight. Thread-safe.
class SpareFeatures {
 public:
  /// Returns an empty vector, with the memory of an earlier one if there is one.
  std::vector<uint64_t> Take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<uint64_t> features = std::move(spare_.back());
    spare_.pop_back();
    return features;
  }

  void Give(std::vector<uint64_t> features) {
    constexpr size_t kMost = size_t{4} << 20;  // more is the set of a single long record
    if (features.capacity() > kMost) return;
    features.clear();
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(features));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<uint64_t>> spare_;
};

/// The answers to the questions of the audit, for the documents of a batch in turn.
class AuditAnswers {
 public:
  AuditAnswers(const Given& given, DocNumber first, FeatureLookup::Scratch* scratch)
      : index_(given.audit.index),
        lookup_(given.audit.lookup ? &*given.audit.lookup : nullptr),
        searched_(given.searched),
        guards_(given.units.guards),
        sampled_(given.audit.sampled),
        fields_(given.job.Fields()),
        scratch_(*scratch),
        next_(
            std::lower_bound(given.audit.looks.begin(), given.audit.looks.end(), first,
                             [](const AuditLook& look, DocNumber doc) { return look.doc < doc; })),
        end_(given.audit.looks.end()) {}

  [[nodiscard]] bool AsksAbout(DocNumber doc) const {
    if (lookup_ != nullptr) return searched_.Test(doc);
    return next_ != end_ && next_->doc == doc;
  }

  /// Appends what the set of a document answers. REQUIRES: documents come in order, and those are
  /// not left out that are asked about.
  void Append(DocNumber doc, const StreamHash& hash, std::span<const uint64_t> set,
              std::vector<AuditHit>* hits) {
    for (; next_ != end_ && next_->doc == doc; ++next_) {
      hits->push_back(Excluded(ByFields(index_.Compare(*next_, set), set)));
    }
    if (lookup_ == nullptr || !searched_.Test(doc)) return;
    lookup_->Find(set, &scratch_, [&](uint32_t sample) {
      if (index_.hashes()[sample] == hash) return;
      const AuditHit hit = index_.Compare(index_.LookAt(doc, hash, sample), set);
      if (hit.common != 0) hits->push_back(hit);
    });
  }

 private:
  /// Returns the hit as the fields make it. REQUIRES: `set` is the document's.
  [[nodiscard]] AuditHit ByFields(AuditHit hit, std::span<const uint64_t> set) const {
    if (hit.common == 0 || !fields_) return hit;
    const auto match = fields_->Match(index_.sets()[hit.sample], set);
    hit.common = match ? match->common : 0;
    if (match) hit.size_sample = match->size_a, hit.size_doc = match->size_b;
    return hit;
  }

  /// Returns the hit, but not as a similar pair if guards exclude it.
  [[nodiscard]] AuditHit Excluded(AuditHit hit) const {
    if (hit.common == 0 || !guards_.any() || hit.sample >= sampled_.size()) return hit;
    if (!guards_.MayBeEdge(hit.doc, sampled_[hit.sample])) hit.common = 0;
    return hit;
  }

  const AuditIndex& index_;
  const FeatureLookup* lookup_;
  const Bitmap& searched_;
  const PairGuards& guards_;
  const std::vector<DocNumber>& sampled_;
  std::optional<FieldTest> fields_;
  FeatureLookup::Scratch& scratch_;
  std::vector<AuditLook>::const_iterator next_, end_;
};

/// The tools with which a thread makes sets.
struct SetMaker {
  explicit SetMaker(const Job& job) : extractor(job.features), features(job) {}

  FeatureExtractor extractor;
  DocumentFeatures features;
  FeatureLookup::Scratch scratch;
};

BatchSets MakeSets(const Given& given, const PassItem& item, SetMaker* maker,
                   SpareFeatures* spare) {
  BatchSets batch;
  batch.features = spare->Take();
  std::vector<DocNumber> read;
  std::vector<uint64_t> checks;
  DocNumber doc = item.first_doc;
  AuditAnswers answers(given, doc, &maker->scratch);
  for (const Document& document : item.batch.documents) {
    const DocNumber here = doc++;
    const bool wanted = given.wanted.Test(here);
    if (!wanted && !answers.AsksAbout(here)) continue;
    const auto features = maker->features.Of(document, [&](std::string_view text, TextKind kind) {
      return maker->extractor.Features(text, kind);
    });
    read.push_back(here);
    const StreamHash hash = StreamOf(document, features);
    checks.push_back(hash.low);
    const size_t size = AppendFeatureSet(features, &batch.features);
    answers.Append(here, hash, std::span<const uint64_t>(batch.features).last(size), &batch.hits);
    if (wanted) {
      batch.documents.push_back(here);
      batch.sizes.push_back(size);
    } else {
      batch.features.resize(batch.features.size() - size);
    }
  }
  batch.status = CheckUnchanged(given, read, checks);
  return batch;
}

/// Writes the sets of a lane's batches, which come in input order, into one run per unit.
class SetsWriter {
 public:
  /// `runs`: the units of the lane that an earlier attempt finished. The other units are added.
  SetsWriter(const Given& given, const UnitLane& lane, Workspace* workspace,
             std::vector<RunPointer>* runs)
      : units_(given.units),
        lane_(lane),
        workspace_(*workspace),
        runs_(*runs),
        looked_up_(given.audit.lookup ? given.audit.index.size() : 0) {}

  Status Take(const BatchSets& batch) {
    LOOKALIKE_RETURN_IF_ERROR(batch.status);
    const uint64_t* features = batch.features.data();
    size_t hit = 0;
    for (size_t i = 0; i < batch.documents.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(AddHits(batch, batch.documents[i], &hit));
      LOOKALIKE_RETURN_IF_ERROR(GoTo(batch.documents[i]));
      const uint64_t size = batch.sizes[i];
      LOOKALIKE_RETURN_IF_ERROR(
          writer_->Append(kSetsFeatures, std::as_bytes(std::span(features, size))));
      LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kSetsEnds, writer_->bytes(kSetsFeatures)));
      features += size;
    }
    return AddHits(batch, UINT64_MAX, &hit);
  }

  /// Ends the remaining units.
  Status Finish() {
    while (runs_.size() < lane_.units) LOOKALIKE_RETURN_IF_ERROR(EndUnit());
    return {};
  }

 private:
  [[nodiscard]] size_t unit() const { return lane_.first_unit + runs_.size(); }

  /// Adds the hits of documents before `doc`.
  Status AddHits(const BatchSets& batch, DocNumber doc, size_t* hit) {
    for (; *hit < batch.hits.size() && batch.hits[*hit].doc < doc; ++*hit) {
      const AuditHit& next = batch.hits[*hit];
      LOOKALIKE_RETURN_IF_ERROR(GoTo(next.doc));
      if (looked_up_ != 0) {
        found_.Add(next);
      } else {
        LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kSetsHits, next));
      }
    }
    return {};
  }

  /// Ends all units before the unit that a document is in.
  Status GoTo(DocNumber doc) {
    while (units_.units[unit()].first + units_.units[unit()].documents <= doc) {
      LOOKALIKE_RETURN_IF_ERROR(EndUnit());
    }
    Begin();
    return {};
  }

  void Begin() {
    if (writer_) return;
    writer_ = workspace_.Begin(SetsUnit(unit()), kSetsStreams);
    found_ = AuditHits(looked_up_);
  }

  Status EndUnit() {
    Begin();
    for (const AuditHits::OfSample& sample : found_.Finish()) {
      LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kSetsHits, sample.hits));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(runs_.emplace_back(), writer_->Finish());
    writer_.reset();
    return {};
  }

  const DocumentUnits& units_;
  const UnitLane& lane_;
  Workspace& workspace_;
  std::vector<RunPointer>& runs_;
  std::unique_ptr<RunWriter> writer_;
  /// Looks have bounds already. Of the documents that a class of the sample finds, a unit stores
  /// those with the smallest draws, which are all that the audit keeps.
  size_t looked_up_;  // classes
  AuditHits found_;
};

/// Returns the documents to read. Wanted documents are searched.
Bitmap DocumentsToRead(Bitmap wanted, const Bitmap& searched, const AuditQuestions& audit) {
  if (audit.lookup) return searched;
  for (const AuditLook& look : audit.looks) wanted.Set(look.doc);
  return wanted;
}

/// The tools of all threads of the pass.
struct SetMakers {
  explicit SetMakers(const Job& job) : of_thread([&job] { return SetMaker(job); }) {}

  tbb::enumerable_thread_specific<SetMaker> of_thread;
  SpareFeatures spare;
};

/// Returns the runs of a lane's units: those that an earlier attempt finished, and the others from
/// the inputs.
Result<std::vector<RunPointer>> ReadSetsOfLane(const Given& given, const UnitLane& lane,
                                               PassRange range, const LaneShare& share,
                                               const Observer& observer, Workspace* workspace,
                                               SetMakers* makers) {
  std::vector<RunPointer> runs;
  while (runs.size() < lane.units) {
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run,
                               workspace->Finished(SetsUnit(lane.first_unit + runs.size())));
    if (!run) break;
    runs.push_back(std::move(run));
  }
  if (runs.size() == lane.units) return runs;
  if (!runs.empty()) {
    const Unit& next = given.units.units[lane.first_unit + runs.size()];
    range.source = next.source;
    range.position = next.begin;
    range.doc = next.first;
    range.at_cut = false;
  }
  PassReader reader(given.job, &given.units.inputs, ReadColumns::kFields, "sets", observer, range);
  SetsWriter writer(given, lane, workspace, &runs);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader,
      [&](const PassItem& item) {
        return MakeSets(given, item, &makers->of_thread.local(), &makers->spare);
      },
      [&](BatchSets batch) {
        Status status = writer.Take(batch);
        makers->spare.Give(std::move(batch.features));
        return status;
      },
      share.batches));
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  return runs;
}

}  // namespace

void StoredSets::AddPart(const RunPointer& run, uint32_t ends, uint32_t sets, const Unit& unit) {
  const uint64_t count = wanted_.Rank(unit.first + unit.documents) - wanted_.Rank(unit.first);
  column_.AddPart(run, ends, sets, count);
  bytes_ += run->bytes(sets);
}

Status StoredSets::Shrink(const Unit& unit, const std::function<bool(DocNumber)>& needed,
                          RunStore* store) {
  const uint64_t first = wanted_.Rank(unit.first);
  const RunPointer run = column_.PartAt(first);
  if (!run || !run->in_memory()) return {};
  auto writer = store->Temporary(kSetsStreams);
  RecordReader<uint64_t> ends({run}, kSetsEnds);
  std::vector<std::byte> set;
  uint64_t begin = 0;
  for (DocNumber doc = unit.first; doc < unit.first + unit.documents; ++doc) {
    if (!wanted_.Test(doc)) continue;
    const uint64_t* const end = ends.Next();
    if (end == nullptr) return EndedEarly(ends.status(), "the list of feature sets");
    if (needed(doc)) {
      set.resize(*end - begin);
      LOOKALIKE_RETURN_IF_ERROR(run->Read(kSetsFeatures, begin, set));
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(kSetsFeatures, set));
    }
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kSetsEnds, writer->bytes(kSetsFeatures)));
    begin = *end;
  }
  LOOKALIKE_ASSIGN_OR_RETURN(RunPointer left, writer->Finish());
  column_.ReplacePart(first, std::move(left));
  return {};
}

std::vector<uint64_t> StoredSets::Positions(std::span<const DocNumber> documents) const {
  std::vector<uint64_t> positions;
  positions.reserve(documents.size());
  for (const DocNumber doc : documents) positions.push_back(wanted_.Rank(doc));
  return positions;
}

Status StoredSets::Sizes(std::span<const DocNumber> documents, std::vector<uint64_t>* sizes) const {
  LOOKALIKE_RETURN_IF_ERROR(column_.Lengths(Positions(documents), sizes));
  for (uint64_t& size : *sizes) size /= sizeof(uint64_t);
  return {};
}

Status StoredSets::Gather(std::span<const DocNumber> documents, DocumentSets* sets) const {
  const std::vector<uint64_t> positions = Positions(documents);
  std::vector<uint64_t>& begin = sets->sets.begin;
  LOOKALIKE_RETURN_IF_ERROR(column_.Lengths(positions, &begin));
  uint64_t total = 0;
  for (uint64_t& value : begin) total += std::exchange(value, total) / sizeof(uint64_t);
  begin.push_back(total);
  sets->documents.assign(documents.begin(), documents.end());
  std::vector<uint64_t>& features = sets->sets.features;
  if (features.size() < total) features.resize(total);
  return column_.Gather(positions, reinterpret_cast<std::byte*>(features.data()));
}

Result<SetsPass> CollectSets(const SearchContext& context, Bitmap wanted,
                             const AuditQuestions& audit, const UseSets& use) {
  const auto& [job, units, ranking, reps, observer, workspace] = context;
  SetsPass pass;
  pass.sets = StoredSets(std::move(wanted));
  pass.hits = AuditHits(audit.index.size(), audit.lookup ? 1 : audit.index.template_share());
  const Bitmap& stored = pass.sets.wanted().bits();
  const Bitmap read = DocumentsToRead(stored, reps, audit);
  const Given given = {job, units, stored, reps, audit};
  const LaneShare share = ShareBatches(units.lanes.size(), workspace->memory());
  PassProgress progress("sets", GuessedBytes(job), observer);
  SetMakers makers(job);
  const auto take = [&](size_t i, const std::vector<RunPointer>& runs) -> Status {
    for (size_t at = 0; at < runs.size(); ++at) {
      const Unit& unit = units.units[units.lanes[i].first_unit + at];
      RecordReader<AuditHit> hits({runs[at]}, kSetsHits);
      while (const AuditHit* hit = hits.Next()) pass.hits.Add(*hit);
      LOOKALIKE_RETURN_IF_ERROR(hits.status());
      pass.sets.AddPart(runs[at], kSetsEnds, kSetsFeatures, unit);
      LOOKALIKE_RETURN_IF_ERROR(use(unit, &pass.sets));
    }
    return {};
  };
  const auto read_lane = [&](size_t i) {
    const UnitLane& lane = units.lanes[i];
    PassRange range = lane.Range();
    range.wanted = &read;
    range.ahead = share.ahead;
    range.progress = &progress;
    return ReadSetsOfLane(given, lane, range, share, observer, workspace, &makers);
  };
  if (workspace->IsIn(kSetsStage)) {
    const std::vector<size_t> lanes = workspace->ToDo(kSetsStage, units.lanes.size());
    LOOKALIKE_RETURN_IF_ERROR(RunLanes(
        lanes.size(), share, [&](size_t i) { return read_lane(lanes[i]); },
        [&](size_t i, const std::vector<RunPointer>& runs) {
          std::vector<std::string> names;
          for (size_t at = 0; at < runs.size(); ++at) {
            names.push_back(SetsUnit(units.lanes[lanes[i]].first_unit + at));
          }
          return workspace->Record(kSetsStage, lanes[i], std::move(names));
        }));
    LOOKALIKE_RETURN_IF_ERROR(workspace->EndStage(kSetsStage));
  }
  LOOKALIKE_RETURN_IF_ERROR(RunLanes(units.lanes.size(), share, read_lane, take));
  return pass;
}

}  // namespace lookalike
