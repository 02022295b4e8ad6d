// Turns a table of rows (group, item, weight) into lists, one per group.
#ifndef LOOKALIKE_USES_GROUP_GROUPING_H_
#define LOOKALIKE_USES_GROUP_GROUPING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"
#include "lookalike/status.h"
#include "run/job.h"
#include "run/workspace.h"

namespace lookalike {

/// A row of the result: groups come in the order of their first rows, the rows of each group in the
/// order of the table. Views are valid during the call.
struct GroupedRow {
  bool begins_group = false;
  std::string_view group;  ///< Only if begins_group.
  std::string_view item;
  std::string_view weight;  ///< A decimal number; empty without a weight field.
};

/// The options that name the fields of a table.
struct FieldOptions {
  const char* by = "by";
  const char* item = "item";
};

/// Reads the rows of a job with TextForm::kValue and passes them to `take`, group by group. The
/// job's text field holds the item, its id field the group, and its keep field, if any, the weight.
/// Counts the rows in `summary`. A row that lacks a field is rejected with a message. Rows that do
/// not fit in memory go to the workspace. Groups are told apart by a 128-bit hash of their names.
Status GroupRows(const Job& job, const Observer& observer, Workspace* workspace,
                 const std::function<Status(const GroupedRow&)>& take, GroupSummary* summary);

/// Does the same for the rows of inputs, on Options::threads threads. Both fields may be the same.
/// Temporary files go to a folder below Options::scratch. `named_by`: the options that name the
/// group and the item, for messages.
Status GiveGroupedRows(const Inputs& inputs, const GroupFields& fields,
                       const FieldOptions& named_by, const Options& options,
                       const Observer& observer,
                       const std::function<Status(const GroupedRow&)>& take, GroupSummary* summary);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_GROUP_GROUPING_H_
