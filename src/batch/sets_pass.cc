#include "batch/sets_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "batch/input_pass.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Hits of the audit that a batch may make: until it knows better, the audit takes every document
/// for a hit of every sampled class, which is many times what else a batch holds.
constexpr uint64_t kBatchHitBytes = uint64_t{2} << 20;

enum SetsStream : uint32_t {
  kSetsEnds,      ///< Where each set ends in kSetsFeatures, in bytes.
  kSetsFeatures,  ///< uint64_t features.
  kSetsHits,      ///< AuditHit records.
  kSetsStreams,
};

struct Worker {
  explicit Worker(const Job& job) : fingerprinter(job.shingle, job.options.seed) {}
  Fingerprinter fingerprinter;
  std::vector<uint64_t> set;
  AuditIndex::Scratch scratch;
};

struct BatchSets {
  Status status;
  std::vector<DocNumber> documents;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> features;
  std::vector<AuditHit> hits;  // by document
};

/// What the map of a batch reads; nothing of it changes during the pass.
struct Given {
  const Job& job;
  const DocumentUnits& units;
  const Bitmap& wanted;
  const Bitmap& reps;
  const AuditIndex& audit;
  const AuditHits& hits;
};

/// Documents of a batch, at most.
size_t MostDocuments(const AuditIndex& audit) {
  const uint64_t hits = kBatchHitBytes / sizeof(AuditHit);
  return std::clamp<uint64_t>(hits / std::max<size_t>(1, audit.size()), 32, 4096);
}

Status FailChanged() {
  return Fail("the inputs changed while they were read; run again when nothing writes to them");
}

/// The stream hashes of pass one, to compare with.
Status CheckUnchanged(const Given& given, const std::vector<DocNumber>& documents,
                      const std::vector<uint64_t>& seen) {
  std::vector<uint64_t> expected(documents.size());
  LOOKALIKE_RETURN_IF_ERROR(
      given.units.checks.Gather(documents, reinterpret_cast<std::byte*>(expected.data())));
  return expected == seen ? Status() : FailChanged();
}

BatchSets MakeSets(const Given& given, const PassItem& item, Worker* worker) {
  BatchSets batch;
  std::vector<DocNumber> read;
  std::vector<uint64_t> checks;
  DocNumber doc = item.first_doc;
  for (const Document& document : item.batch.documents) {
    const DocNumber here = doc++;
    const bool wanted = given.wanted.Test(here);
    const bool audited = given.audit.size() != 0 && given.reps.Test(here);
    if (!wanted && !audited) continue;
    const auto features = worker->fingerprinter.Features(document.text);
    const StreamHash stream = HashStream(features);
    read.push_back(here);
    checks.push_back(stream.low);
    MakeFeatureSet(features, &worker->set);
    if (audited) {
      given.audit.Probe(here, stream, worker->set, given.hits, &worker->scratch, &batch.hits);
    }
    if (!wanted) continue;
    batch.documents.push_back(here);
    batch.sizes.push_back(worker->set.size());
    batch.features.insert(batch.features.end(), worker->set.begin(), worker->set.end());
  }
  batch.status = CheckUnchanged(given, read, checks);
  return batch;
}

/// Writes the sets of batches, which come in input order, into one run a unit.
class SetsWriter {
 public:
  SetsWriter(const DocumentUnits& units, Workspace* workspace, SetsPass* pass, size_t unit)
      : units_(units), workspace_(*workspace), pass_(*pass), unit_(unit) {}

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

  /// Ends the units that are left.
  Status Finish() {
    while (unit_ < units_.units.size()) LOOKALIKE_RETURN_IF_ERROR(EndUnit());
    return {};
  }

 private:
  /// Adds the hits of documents before `doc`.
  Status AddHits(const BatchSets& batch, DocNumber doc, size_t* hit) {
    for (; *hit < batch.hits.size() && batch.hits[*hit].doc < doc; ++*hit) {
      const AuditHit& next = batch.hits[*hit];
      if (!pass_.hits.Wants(next.sample, next.draw)) continue;
      pass_.hits.Add(next);
      LOOKALIKE_RETURN_IF_ERROR(GoTo(next.doc));
      LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kSetsHits, next));
    }
    return {};
  }

  /// Ends all units before the one that a document is in.
  Status GoTo(DocNumber doc) {
    while (units_.units[unit_].first + units_.units[unit_].documents <= doc) {
      LOOKALIKE_RETURN_IF_ERROR(EndUnit());
    }
    Begin();
    return {};
  }

  void Begin() {
    if (!writer_) writer_ = workspace_.Begin("sets/" + std::to_string(unit_), kSetsStreams);
  }

  Status EndUnit() {
    Begin();
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer_->Finish());
    writer_.reset();
    pass_.sets.AddPart(run, units_.units[unit_++]);
    return {};
  }

  const DocumentUnits& units_;
  Workspace& workspace_;
  SetsPass& pass_;
  size_t unit_;
  std::unique_ptr<RunWriter> writer_;
};

/// Takes over the units that an earlier attempt finished. Returns how many.
Result<size_t> TakeFinished(const DocumentUnits& units, Workspace* workspace, SetsPass* pass) {
  for (size_t unit = 0; unit < units.units.size(); ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run,
                               workspace->Finished("sets/" + std::to_string(unit)));
    if (!run) return unit;
    RecordReader<AuditHit> hits({run}, kSetsHits);
    while (const AuditHit* hit = hits.Next()) pass->hits.Add(*hit);
    LOOKALIKE_RETURN_IF_ERROR(hits.status());
    pass->sets.AddPart(run, units.units[unit]);
  }
  return units.units.size();
}

}  // namespace

void StoredSets::AddPart(const RunPointer& run, const Unit& unit) {
  const uint64_t count = wanted_.Rank(unit.first + unit.documents) - wanted_.Rank(unit.first);
  column_.AddPart(run, kSetsEnds, kSetsFeatures, count);
  bytes_ += run->bytes(kSetsFeatures);
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
  GatheredValues values;
  LOOKALIKE_RETURN_IF_ERROR(column_.Gather(Positions(documents), &values));
  sets->documents.assign(documents.begin(), documents.end());
  sets->sets.begin = std::move(values.begin);
  for (uint64_t& begin : sets->sets.begin) begin /= sizeof(uint64_t);
  sets->sets.features.resize(values.bytes.size() / sizeof(uint64_t));
  if (!values.bytes.empty()) {
    std::memcpy(sets->sets.features.data(), values.bytes.data(), values.bytes.size());
  }
  return {};
}

Result<SetsPass> CollectSets(const Job& job, const DocumentUnits& units, Bitmap wanted,
                             const Bitmap& reps, const AuditIndex& audit, const Observer& observer,
                             Workspace* workspace) {
  SetsPass pass;
  pass.sets = StoredSets(std::move(wanted));
  pass.hits = AuditHits(audit.size());
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t done, TakeFinished(units, workspace, &pass));
  SetsWriter writer(units, workspace, &pass, done);
  if (done < units.units.size()) {
    const Unit& next = units.units[done];
    PassRange rest{next.source, next.begin, next.first};
    rest.most_documents = MostDocuments(audit);
    PassReader reader(job, &units.inputs, ReadColumns::kFields, "sets", observer, rest);
    tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(job); });
    const Given given = {job, units, pass.sets.wanted().bits(), reps, audit, pass.hits};
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [&](const PassItem& item) { return MakeSets(given, item, &workers.local()); },
        [&](const BatchSets& batch) { return writer.Take(batch); }, workspace->memory().batches));
  }
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  return pass;
}

}  // namespace lookalike
