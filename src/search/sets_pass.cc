#include "search/sets_pass.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <utility>

#include "run/input_pass.h"
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

/// The input of a batch's map function; nothing in it changes during the pass.
struct Given {
  const Job& job;
  const DocumentUnits& units;
  const Bitmap& wanted;
  const AuditIndex& audit;
  const std::vector<AuditLook>& looks;  // by document
};

Status FailChanged() {
  return InputError(
      "the inputs changed while they were read; run again when nothing writes to them");
}

/// Compares the stream hashes with those of pass one.
Status CheckUnchanged(const Given& given, const std::vector<DocNumber>& documents,
                      const std::vector<uint64_t>& seen) {
  std::vector<uint64_t> expected(documents.size());
  LOOKALIKE_RETURN_IF_ERROR(
      given.units.checks.Gather(documents, reinterpret_cast<std::byte*>(expected.data())));
  return expected == seen ? Status() : FailChanged();
}

BatchSets MakeSets(const Given& given, const PassItem& item, FeatureExtractor* extractor) {
  BatchSets batch;
  std::vector<DocNumber> read;
  std::vector<uint64_t> checks;
  DocNumber doc = item.first_doc;
  auto look = std::lower_bound(given.looks.begin(), given.looks.end(), doc,
                               [](const AuditLook& l, DocNumber d) { return l.doc < d; });
  for (const Document& document : item.batch.documents) {
    const DocNumber here = doc++;
    const bool wanted = given.wanted.Test(here);
    const bool audited = look != given.looks.end() && look->doc == here;
    if (!wanted && !audited) continue;
    const auto features = extractor->Features(document.text, document.kind);
    read.push_back(here);
    checks.push_back(HashStream(features).low);
    const size_t size = AppendFeatureSet(features, &batch.features);
    const auto set = std::span<const uint64_t>(batch.features).last(size);
    for (; look != given.looks.end() && look->doc == here; ++look) {
      batch.hits.push_back(given.audit.Compare(*look, set));
    }
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

/// Writes the sets of batches, which come in input order, into one run per unit.
class SetsWriter {
 public:
  SetsWriter(const DocumentUnits& units, const UseSets& use, Workspace* workspace, SetsPass* pass,
             size_t unit)
      : units_(units), use_(use), workspace_(*workspace), pass_(*pass), unit_(unit) {}

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
    while (unit_ < units_.units.size()) LOOKALIKE_RETURN_IF_ERROR(EndUnit());
    return {};
  }

 private:
  /// Adds the hits of documents before `doc`.
  Status AddHits(const BatchSets& batch, DocNumber doc, size_t* hit) {
    for (; *hit < batch.hits.size() && batch.hits[*hit].doc < doc; ++*hit) {
      const AuditHit& next = batch.hits[*hit];
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
    const Unit& unit = units_.units[unit_++];
    pass_.sets.AddPart(run, kSetsEnds, kSetsFeatures, unit);
    return use_(unit, &pass_.sets);
  }

  const DocumentUnits& units_;
  const UseSets& use_;
  Workspace& workspace_;
  SetsPass& pass_;
  size_t unit_;
  std::unique_ptr<RunWriter> writer_;
};

Bitmap DocumentsToRead(Bitmap wanted, const std::vector<AuditLook>& looks) {
  for (const AuditLook& look : looks) wanted.Set(look.doc);
  return wanted;
}

/// Adopts the units that an earlier attempt finished. Returns their number.
Result<size_t> TakeFinished(const DocumentUnits& units, const UseSets& use, Workspace* workspace,
                            SetsPass* pass) {
  for (size_t unit = 0; unit < units.units.size(); ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run,
                               workspace->Finished("sets/" + std::to_string(unit)));
    if (!run) return unit;
    RecordReader<AuditHit> hits({run}, kSetsHits);
    while (const AuditHit* hit = hits.Next()) pass->hits.Add(*hit);
    LOOKALIKE_RETURN_IF_ERROR(hits.status());
    pass->sets.AddPart(run, kSetsEnds, kSetsFeatures, units.units[unit]);
    LOOKALIKE_RETURN_IF_ERROR(use(units.units[unit], &pass->sets));
  }
  return units.units.size();
}

}  // namespace

void StoredSets::AddPart(const RunPointer& run, uint32_t ends, uint32_t sets, const Unit& unit) {
  const uint64_t count = wanted_.Rank(unit.first + unit.documents) - wanted_.Rank(unit.first);
  column_.AddPart(run, ends, sets, count);
  bytes_ += run->bytes(sets);
}

StoredSets SketchesOf(const DocumentUnits& units) {
  Bitmap all(units.documents);
  for (DocNumber doc = 0; doc < units.documents; ++doc) all.Set(doc);
  StoredSets sketches(std::move(all));
  for (const Unit& unit : units.units) {
    sketches.AddPart(unit.run, kUnitSketchEnds, kUnitSketches, unit);
  }
  return sketches;
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

Result<SetsPass> CollectSets(const Job& job, const DocumentUnits& units, Bitmap wanted,
                             const AuditIndex& audit, const std::vector<AuditLook>& looks,
                             const UseSets& use, const Observer& observer, Workspace* workspace) {
  SetsPass pass;
  pass.sets = StoredSets(std::move(wanted));
  pass.hits = AuditHits(audit.size(), audit.template_share());
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t done, TakeFinished(units, use, workspace, &pass));
  SetsWriter writer(units, use, workspace, &pass, done);
  if (done < units.units.size()) {
    const Unit& next = units.units[done];
    const Bitmap read = DocumentsToRead(pass.sets.wanted().bits(), looks);
    PassReader reader(
        job, &units.inputs, ReadColumns::kFields, "sets", observer,
        {next.source, next.begin, next.first, UINT32_MAX, &read, workspace->memory().ahead});
    tbb::enumerable_thread_specific<FeatureExtractor> extractors(
        [&] { return FeatureExtractor(job.features); });
    const Given given = {job, units, pass.sets.wanted().bits(), audit, looks};
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [&](const PassItem& item) { return MakeSets(given, item, &extractors.local()); },
        [&](const BatchSets& batch) { return writer.Take(batch); }, workspace->memory().batches));
  }
  LOOKALIKE_RETURN_IF_ERROR(writer.Finish());
  return pass;
}

}  // namespace lookalike
