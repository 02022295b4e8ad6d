#include "lookalike/json_lines.h"

#include <algorithm>
#include <utility>

#include "api/engine_plan.h"
#include "fingerprint/feature_spec.h"
#include "run/no_exceptions.h"
#include "search/keep_order.h"
#include "stages/input/memory_lines.h"

namespace lookalike {
namespace {

Status CheckLines(std::string_view bytes, std::span<const int64_t> offsets) {
  if (AreOffsets(offsets, bytes.size())) return {};
  return UsageError("the offsets of the lines must ascend and stay within the bytes");
}

Result<FieldPaths> PathsOf(const Job& job, const FieldNames& names) {
  FieldPaths fields;
  fields.form = FormOfTexts(job.features);
  if (fields.form != TextForm::kText) {
    return UsageError("shingle " + job.options.shingle +
                      " takes lists; lines that a program passes must hold texts");
  }
  if (!names.text.empty()) fields.text = names.text;
  if (!names.id.empty()) fields.id = names.id;
  return fields;
}

/// Values in the layout of Arrow's large_string, for some of the places from 1 on.
class Cells {
 public:
  Cells(std::string* bytes, std::vector<int64_t>* offsets) : bytes_(bytes), offsets_(offsets) {}

  /// Gives a value to a row behind those before. Rows between have an empty value.
  void Put(uint64_t row, std::string_view value) {
    FillTo(row - 1);
    bytes_->append(value);
    FillTo(row);
  }

  void FillTo(uint64_t rows) { offsets_->resize(rows + 1, static_cast<int64_t>(bytes_->size())); }

 private:
  std::string* bytes_;
  std::vector<int64_t>* offsets_;
};

/// Returns the value of the field at a position among those that `keep` names.
const FieldValue& KeepFieldOf(const Document& document, size_t field) {
  static const FieldValue kNone;
  if (field == 0) return document.keep_field;
  const auto& more = document.more_keep_fields;
  return field <= more.size() ? more[field - 1] : kNone;
}

/// The values that are read of lines besides texts and ids.
struct Wanted {
  std::vector<KeepCriterion> keep_fields;
  size_t guard_fields = 0;
};

LineColumns ColumnsOf(const DocumentBatch& batch, const Wanted& wanted, size_t rows) {
  LineColumns columns;
  const size_t keeps = wanted.keep_fields.size(), guards = wanted.guard_fields;
  columns.has_guard_value.resize(rows * guards);
  columns.kinds.resize(rows, LineKind::kBlank);
  columns.has_id.resize(rows);
  columns.repaired.resize(rows);
  Cells texts(&columns.texts, &columns.text_offsets), ids(&columns.ids, &columns.id_offsets),
      keys(&columns.keep_keys, &columns.keep_offsets),
      values(&columns.guard_values, &columns.guard_offsets),
      reasons(&columns.reasons, &columns.reason_offsets);
  for (const Document& document : batch.documents) {
    const size_t i = document.row - 1;
    columns.kinds[i] = document.null_text ? LineKind::kNullText : LineKind::kDocument;
    columns.has_id[i] = document.has_id ? 1 : 0;
    columns.repaired[i] = document.repaired ? 1 : 0;
    texts.Put(document.row, document.text);
    ids.Put(document.row, document.id);
    for (size_t f = 0; f < keeps; ++f) {
      keys.Put(i * keeps + f + 1,
               KeepKey(KeepFieldOf(document, f), wanted.keep_fields[f].descending));
    }
    for (size_t f = 0; f < std::min(guards, document.values.size()); ++f) {
      if (!document.values[f]) continue;
      columns.has_guard_value[i * guards + f] = 1;
      values.Put(i * guards + f + 1, *document.values[f]);
    }
  }
  for (const Rejection& rejection : batch.rejections) {
    columns.kinds[rejection.row - 1] = LineKind::kRejected;
    reasons.Put(rejection.row, rejection.reason);
  }
  for (Cells* const cells : {&texts, &ids, &reasons}) cells->FillTo(rows);
  keys.FillTo(rows * keeps);
  values.FillTo(rows * guards);
  return columns;
}

}  // namespace

Result<LineColumns> ReadJsonLines(const Engine& engine, const FieldNames& fields,
                                  std::span<const std::string> keep, std::string_view bytes,
                                  std::span<const int64_t> offsets) {
  return WithoutExceptions([&]() -> Result<LineColumns> {
    LOOKALIKE_RETURN_IF_ERROR(CheckLines(bytes, offsets));
    const Job& job = engine.plan().job;
    LOOKALIKE_ASSIGN_OR_RETURN(FieldPaths paths, PathsOf(job, fields));
    LOOKALIKE_ASSIGN_OR_RETURN(const KeepPolicy policy, ParseKeepPolicy(keep));
    Wanted wanted = {{}, job.choices.guards.fields.size()};
    for (const KeepCriterion& criterion : policy.criteria) {
      if (criterion.by != KeepCriterion::By::kField) continue;
      wanted.keep_fields.push_back(criterion);
      (wanted.keep_fields.size() == 1 ? paths.keep : paths.more_keep.emplace_back()) =
          criterion.field;
    }
    paths.others = job.choices.guards.fields;
    DocumentBatch batch;
    LOOKALIKE_RETURN_IF_ERROR(OpenMemoryLines(paths, job.limits, bytes, offsets)->Next(&batch));
    return ColumnsOf(batch, wanted, offsets.size() - 1);
  });
}

}  // namespace lookalike
