#include <fmt/format.h>

#include "lookalike/fingerprint.h"
#include "lookalike/lookalike.h"
#include "run/no_exceptions.h"
#include "run/resolve_job.h"
#include "run/search_terms.h"
#include "stages/candidates/design.h"
#include "uses/studies/resolve_design.h"

namespace lookalike {

Status RefuseContainment(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  if (!choices.measures_containment()) return {};
  return OptionError(
      "$<measure=containment> cannot be predicted: bands do not show whether one text "
      "contains another; run $(pairs measure=containment) on a part of the inputs");
}

Result<Design> ResolveDesign(const Options& options) {
  LOOKALIKE_RETURN_IF_ERROR(RefuseContainment(options));
  if (!options.design.empty()) return ParseDesign(options.design);
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, BeginJob(options, false));
  if (job.choices.method.merges()) {
    return OptionError(
        "$<method=shingle-merge> has no design to evaluate; use another method or preset");
  }
  return PlanDesign(job, kUsualDocuments);
}

std::vector<double> ResemblancesOf(const std::vector<double>& at) {
  if (!at.empty()) return at;
  std::vector<double> even;
  for (int i = 0; i <= 20; ++i) even.push_back(i / 20.0);
  return even;
}

namespace {

Result<DesignReport> EvaluateUnguarded(const Options& options, const std::vector<double>& at) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Design design, ResolveDesign(options));
  DesignReport report;
  report.design = ToString(design);
  report.keys = design.keys;
  report.coordinates = design.coordinates;
  report.bytes_per_document = BytesPerDocument(design);
  for (const double j : ResemblancesOf(at)) {
    if (!(j >= 0 && j <= 1)) {
      return OptionError(fmt::format("$<at={}>: expected a resemblance from 0 to 1", j));
    }
    report.acceptance.emplace_back(j, Acceptance(design, j));
  }
  report.half_point = HalfPoint(design);
  return report;
}

}  // namespace

Result<DesignReport> EvaluateDesign(const Options& options, const std::vector<double>& at) {
  return WithoutExceptions([&] { return EvaluateUnguarded(options, at); });
}

}  // namespace lookalike
