#include "uses/passages/keep_values.h"

#include <span>

#include "run/memory_plan.h"
#include "run/units.h"

namespace lookalike {
namespace {

/// The streams of a unit of documents, up to the last one with values.
constexpr uint32_t kStreams = kUnitKeepTexts + 1;

}  // namespace

KeepValues::KeepValues(const Job& job, Workspace* workspace)
    : job_(job), workspace_(*workspace), writer_(workspace->store().Temporary(kStreams)) {}

Status KeepValues::Add(KeepColumn column) {
  const uint64_t before = writer_->bytes(kUnitKeepTexts);
  for (uint64_t& end : column.ends) end += before;
  LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitKeep, column.words));
  LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecords(kUnitKeepEnds, column.ends));
  return writer_->Append(kUnitKeepTexts, std::as_bytes(std::span(column.texts)));
}

Result<Ranking> KeepValues::RankAll(const KnownInputs& inputs, DocNumber documents) {
  LOOKALIKE_RETURN_IF_ERROR(CheckResident(workspace_.memory(), documents, true));
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer_->Finish());
  DocumentUnits units;
  units.inputs = inputs;
  units.documents = documents;
  units.units.push_back({run, 0, documents, 0, {}});
  if (const size_t fields = job_.choices.keep.Fields().size(); fields != 0) {
    units.keep_texts.AddPart(run, kUnitKeepEnds, kUnitKeepTexts, documents * fields);
  }
  return RankDocuments(job_, units, &workspace_);
}

}  // namespace lookalike
