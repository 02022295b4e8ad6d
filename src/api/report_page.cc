#include "lookalike/report_page.h"

#include <nlohmann/json.hpp>
#include <string>

#include "api/engine_plan.h"
#include "results/excerpts.h"
#include "results/report.h"
#include "results/report_texts.h"
#include "run/no_exceptions.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// Puts the passages that the page shows in the place of the two texts of a member.
void ShowTexts(const FeatureSpec& features, Json* member) {
  const auto kept = member->find("kept_text"), text = member->find("text");
  if (kept == member->end() || text == member->end()) return;
  const ExcerptPair texts = ExcerptsOfTexts({text->get<std::string>(), 0, false},
                                            {kept->get<std::string>(), 0, false}, features);
  member->erase("kept_text");
  member->erase("text");
  AddTexts(texts, features, member);
}

Json ReportOf(const Engine::Plan& plan, std::string_view found) {
  Json report = {{"version", LOOKALIKE_VERSION},
                 {"fingerprint", "v1"},
                 {"threshold", plan.job.options.threshold.least},
                 {"design", plan.design},
                 {"method", "lsh"},
                 {"options", ReportOptions(plan.job)}};
  if (plan.job.design) report["acceptance"] = AcceptanceCurve(*plan.job.design);
  report.update(Json::parse(found));
  for (Json& cluster : report.at("clusters")) {
    for (Json& member : cluster.at("members")) ShowTexts(plan.job.features, &member);
  }
  for (Json& removal : report.at("narrowest")) {
    ShowTexts(plan.job.features, &removal.at("member"));
  }
  return report;
}

}  // namespace

Result<std::string> MakeReportPage(const Engine& engine, std::string_view found) {
  return WithoutExceptions([&]() -> Result<std::string> {
    Json report;
    try {
      report = ReportOf(engine.plan(), found);
    } catch (const Json::exception& error) {
      return UsageError(std::string("what was found is not the data of a report: ") + error.what());
    }
    return FillReport(report);
  });
}

}  // namespace lookalike
