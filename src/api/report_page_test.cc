#include "lookalike/report_page.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

Engine MakeEngine() { return *Engine::Create({}, 1000, EngineGoal::kKeep); }

std::string Removal(const std::string& member) {
  return R"({"clusters": [{"kept": {"id": "a"}, "members": [)" + member +
         R"(]}], "narrowest": []})";
}

TEST(ReportPage, TheTextsOfAPairAreShownWithWhatTheyShare) {
  const auto page = MakeReportPage(
      MakeEngine(),
      Removal(R"({"id": "b", "kind": "near", "kept_text": "one two three four five six",
                               "text": "one two three four five seven"})"));
  ASSERT_TRUE(page) << page.error().ToString();
  EXPECT_NE(page->find(R"("segments":[["one two three four five",1],)"), std::string::npos);
  EXPECT_EQ(page->find(R"("kept_text")"), std::string::npos);
  EXPECT_NE(page->find(R"("acceptance":[[0.0,)"), std::string::npos);
}

TEST(ReportPage, WhatIsNoReportIsRefused) {
  for (const char* const found : {"", "[]", "{", "{}", R"({"clusters": 1, "narrowest": []})"}) {
    const auto page = MakeReportPage(MakeEngine(), found);
    ASSERT_FALSE(page) << found;
    EXPECT_NE(page.error().ToString().find("not the data of a report"), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace lookalike
