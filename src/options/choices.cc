#include "options/choices.h"

#include <string_view>
#include <utility>

#include "options/refusals.h"

namespace lookalike {
namespace {

template <class Value>
using Word = std::pair<std::string_view, Value>;

constexpr Word<Measure> kMeasures[] = {{"resemblance", Measure::kResemblance},
                                       {"containment", Measure::kContainment}};

constexpr Word<Verification> kVerifications[] = {{"exact", Verification::kExact},
                                                 {"sketch+exact", Verification::kSketchThenExact},
                                                 {"sketch", Verification::kSketch},
                                                 {"none", Verification::kNone}};

constexpr Word<Clustering> kClusterings[] = {{"leader", Clustering::kLeader},
                                             {"components", Clustering::kComponents}};

constexpr Word<OutputForm> kForms[] = {{"copies", OutputForm::kCopies},
                                       {"annotated", OutputForm::kAnnotated}};

/// Reads the name of a sketch of coordinates or, for uses without keys, of a sample.
Status ReadSketch(const Options& options, Choices* choices) {
  choices->sketch_is_default = options.sketch == Options().sketch;
  if (NamesSetSketch(options.sketch)) {
    LOOKALIKE_ASSIGN_OR_RETURN(choices->sample, ParseSetSketch(options.sketch));
    return {};
  }
  LOOKALIKE_ASSIGN_OR_RETURN(choices->sketch, ParseSketch(options.sketch));
  return {};
}

}  // namespace

Result<Choices> ReadChoices(const Options& options) {
  Choices choices;
  LOOKALIKE_ASSIGN_OR_RETURN(choices.method, ParseMethodOption(options.method));
  LOOKALIKE_RETURN_IF_ERROR(ReadSketch(options, &choices));
  if (options.distance != "off") {
    choices.distance = ParseDistance(options.distance);
    if (!choices.distance) return NotAllowed(options, &Options::distance);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(choices.keep, ParseKeepPolicy(options.keep));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.verify, Choose(options, &Options::verify, kVerifications));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.measure, Choose(options, &Options::measure, kMeasures));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.cluster, Choose(options, &Options::cluster, kClusterings));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.output, Choose(options, &Options::output, kForms));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.guards,
                             ParseGuards(options.differ, options.same, options.not_same));
  LOOKALIKE_ASSIGN_OR_RETURN(choices.text_fields, ReadTextFields(options));
  return choices;
}

Options Estimating(const Options& options, const Choices& choices) {
  Options estimating = options;
  if (choices.verifies()) estimating.verify = "sketch";
  return estimating;
}

}  // namespace lookalike
