#include "search/audit_pass.h"

#include <algorithm>
#include <vector>

#include "spill/record_reader.h"
#include "stages/sketch/bottom_k.h"
#include "threads/parallel.h"
#include "threads/spares.h"

namespace lookalike {
namespace {

/// Replaces `sketch` with the next sketch, padded with kNoBottomValue.
Status ReadSketch(RecordReader<uint32_t>* values, std::vector<uint32_t>* sketch) {
  std::fill(sketch->begin(), sketch->end(), kNoBottomValue);
  for (uint32_t& value : *sketch) {
    const uint32_t* next = values->Next();
    if (next == nullptr) return EndedEarly(values->status(), "the list of sketches");
    value = *next;
    if (value == kNoBottomValue) break;
  }
  return {};
}

/// Finds looks, on one thread.
class LookFinder {
 public:
  explicit LookFinder(const AuditIndex& audit) : audit_(audit), looks_(audit.size()) {
    sketch_.resize(audit.sketch_size());
  }

  /// Looks at the documents of a unit.
  Status Find(const Unit& unit, const Bitmap& reps) {
    RecordReader<uint32_t> values({unit.run}, kUnitBottom);
    RecordReader<ClassRecord> records({unit.run}, kUnitClasses);
    while (const ClassRecord* record = records.Next()) {
      if (record->searched == Searched::kNot) continue;
      LOOKALIKE_RETURN_IF_ERROR(ReadSketch(&values, &sketch_));
      const DocNumber doc = unit.first + record->doc;
      if (!reps.Test(doc)) continue;
      const bool few = record->searched == Searched::kByFeatures;
      audit_.Look(doc, record->stream, sketch_, few, &scratch_, &looks_);
    }
    return records.status();
  }

  [[nodiscard]] std::vector<AuditLook> Take() { return looks_.Take(); }

 private:
  const AuditIndex& audit_;
  AuditIndex::Scratch scratch_;
  std::vector<uint32_t> sketch_;
  AuditLooks looks_;
};

}  // namespace

Result<std::vector<AuditLook>> FindLooks(std::span<const Unit> units, const Bitmap& reps,
                                         const AuditIndex& audit, uint64_t memory) {
  AuditLooks looks(audit.size());
  if (audit.size() == 0) return looks.Take();
  const uint64_t room = memory / (audit.size() * AuditLooks::kMostBytes);
  std::vector<LookFinder> finders(std::clamp<uint64_t>(room, 1, ThreadsHere()), LookFinder(audit));
  Spares<LookFinder*> idle;  // as many as there are threads
  for (LookFinder& finder : finders) idle.Return(&finder);
  std::vector<Status> found(units.size());
  const auto find_all = [&] {
    ParallelFor(size_t{0}, found.size(), [&](size_t i) {
      LookFinder* const finder = idle.Take();
      found[i] = finder->Find(units[i], reps);
      idle.Return(finder);
    });
  };
  RunInArena(finders.size(), find_all);
  for (const Status& status : found) LOOKALIKE_RETURN_IF_ERROR(status);
  for (LookFinder& finder : finders) {
    for (const AuditLook& look : finder.Take()) looks.Add(look);
  }
  return looks.Take();
}

}  // namespace lookalike
