#include "search/audit_pass.h"

#include <algorithm>

#include "spill/record_reader.h"
#include "stages/sketch/bottom_k.h"

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

}  // namespace

Result<std::vector<AuditLook>> FindLooks(const DocumentUnits& units, const Bitmap& reps,
                                         const AuditIndex& audit) {
  AuditLooks looks(audit.size());
  if (audit.size() == 0) return looks.Take();
  AuditIndex::Scratch scratch;
  std::vector<uint32_t> sketch(audit.sketch_size());
  RecordReader<uint32_t> values(units.runs(), kUnitBottom);
  RecordReader<ClassRecord> records(units.runs(), kUnitClasses);
  for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
    const DocNumber first = units.units[records.run()].first;
    for (const ClassRecord& record : block) {
      if (record.searched == Searched::kNot) continue;
      LOOKALIKE_RETURN_IF_ERROR(ReadSketch(&values, &sketch));
      const DocNumber doc = first + record.doc;
      if (!reps.Test(doc)) continue;
      const bool few = record.searched == Searched::kByFeatures;
      audit.Look(doc, record.stream, sketch, few, &scratch, &looks);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(records.status());
  return looks.Take();
}

}  // namespace lookalike
