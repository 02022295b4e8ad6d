#include "options/text_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lookalike/messages.h"
#include "options/refusals.h"

namespace lookalike {
namespace {

constexpr std::pair<std::string_view, FieldRule> kRules[] = {{"all", FieldRule::kAll},
                                                             {"any", FieldRule::kAny}};

Status CheckNames(const std::vector<std::string>& names) {
  if (names.size() > kMostTextFields) {
    return OptionError(fmt::format("$<text-field> is given {} times, expected {} at most",
                                   names.size(), kMostTextFields));
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    return OptionError(fmt::format("$<text-field={}> is given twice; name each field once", *name));
  }
  return {};
}

/// Returns the threshold of a field.
Result<double> ThresholdOf(const std::string& field, const Threshold& threshold) {
  if (threshold.fields.empty()) return threshold.least;
  const auto found = std::ranges::find(threshold.fields, field, &FieldThreshold::field);
  if (found != threshold.fields.end()) return found->least;
  return OptionError(fmt::format(
      "$<threshold> has no number for the text field \"{}\"; add {}=T, or give one number for all",
      field, field));
}

Status CheckThresholds(const std::vector<std::string>& names, const Threshold& threshold) {
  for (auto field = threshold.fields.begin(); field != threshold.fields.end(); ++field) {
    if (std::ranges::find(names, field->field) == names.end()) {
      return OptionError(
          fmt::format("$<threshold> names \"{}\", which is no text field; leave it out, or add "
                      "$<text-field={}> to a command that reads texts",
                      field->field, field->field));
    }
    const auto earlier = std::find_if(threshold.fields.begin(), field, [&](const auto& before) {
      return before.field == field->field;
    });
    if (earlier == field) continue;
    return OptionError(
        fmt::format("$<threshold> names \"{}\" twice; give it one number", field->field));
  }
  return {};
}

}  // namespace

Result<TextFields> ReadTextFields(const Options& options) {
  const std::vector<std::string>& names = options.text_field;
  LOOKALIKE_RETURN_IF_ERROR(CheckNames(names));
  LOOKALIKE_RETURN_IF_ERROR(CheckThresholds(names, options.threshold));
  TextFields fields;
  LOOKALIKE_ASSIGN_OR_RETURN(fields.rule, Choose(options, &Options::fields, kRules));
  if (names.size() < 2 && fields.rule == FieldRule::kAny) {
    return OptionError(
        "$<fields=any> only works with several $<text-field>; name the fields, or leave it out");
  }
  if (names.size() < 2) return fields;
  for (const std::string& name : names) {
    LOOKALIKE_ASSIGN_OR_RETURN(const double threshold, ThresholdOf(name, options.threshold));
    fields.paths.push_back(name);
    fields.thresholds.push_back(threshold);
  }
  return fields;
}

Result<std::string> OnlyTextField(const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(CheckThresholds(options.text_field, options.threshold));
  if (options.text_field.empty()) return std::string();
  if (options.text_field.size() == 1) return options.text_field.front();
  return OptionError(fmt::format(
      "$<text-field> is given {} times, expected once: documents are compared by several fields "
      "with $(dedup), $(pairs) and $(nearest)",
      options.text_field.size()));
}

}  // namespace lookalike
