// The text fields of a run that compares documents by several, with their thresholds.
#ifndef LOOKALIKE_OPTIONS_TEXT_FIELDS_H_
#define LOOKALIKE_OPTIONS_TEXT_FIELDS_H_

#include <string>
#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"
#include "measures/field_features.h"

namespace lookalike {

/// Most text fields: features have a number of three bits for theirs (field_features.h).
inline constexpr size_t kMostTextFields = 8;

/// The text fields, in the order in which they were named. Empty if there are not several.
struct TextFields {
  std::vector<std::string> paths;
  std::vector<double> thresholds;  ///< By field.
  FieldRule rule = FieldRule::kAll;

  [[nodiscard]] bool several() const { return !paths.empty(); }
  /// True if it is enough that documents are alike in one of several fields.
  [[nodiscard]] bool any() const { return several() && rule == FieldRule::kAny; }
};

/// Reads --text-field, --threshold and --fields. An Error names a field that has no threshold, or
/// the threshold of a field that is not compared.
Result<TextFields> ReadTextFields(const Options& options);

/// Returns the text field of a use that reads one text of each document; empty if none was named.
Result<std::string> OnlyTextField(const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_TEXT_FIELDS_H_
