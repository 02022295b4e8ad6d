#include "run/decisions_input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace lookalike {
namespace {

class DecisionsInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = ::testing::TempDir() + "lookalike_" + test->name() + ".jsonl";
    std::filesystem::remove(path_);
    options_.decisions = path_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void Write(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }

  Result<DecisionsInput> Read() const {
    return ReadDecisionsInput(options_, *ReadChoices(options_));
  }
  std::string WhyRefused() const {
    const auto input = Read();
    return input ? "" : input.error().what;
  }

  std::string path_;
  Options options_;
};

constexpr std::string_view kKeep =
    R"({"number": 1, "decision": "keep", "cluster": 5, "documents": [)"
    R"({"id": "c", "source": "in.jsonl", "row": 3}]})"
    "\n";
constexpr std::string_view kNone =
    R"({"number": 2, "decision": "none", "cluster": 0, "documents": []})"
    "\n";

TEST_F(DecisionsInputTest, WithoutTheOptionNothingIsGiven) {
  options_.decisions.clear();
  EXPECT_FALSE(Read()->given());
}

TEST_F(DecisionsInputTest, OnesThatWereTakenBackAreLeftOut) {
  Write(std::string(kKeep) + std::string(kNone));
  const auto input = Read();
  ASSERT_TRUE(input.has_value()) << input.error().ToString();
  ASSERT_EQ(input->decisions.size(), 1u);
  EXPECT_EQ(input->decisions[0].number, 1u);
  EXPECT_EQ(input->decisions[0].kind, DecisionKind::kKeep);
  EXPECT_TRUE(input->given());
}

TEST_F(DecisionsInputTest, TheHashIsThatOfAllBytes) {
  Write("");
  const auto empty = Read();
  ASSERT_TRUE(empty.has_value());
  EXPECT_TRUE(empty->decisions.empty());
  EXPECT_TRUE(empty->given()) << "a file without decisions is given, too";
  EXPECT_EQ(empty->hash, "99aa06d3014798d86001c324468d497f") << "XXH3-128 of nothing";
  Write(kKeep);
  const std::string one = Read()->hash;
  Write(std::string(kKeep) + std::string(kNone));
  EXPECT_NE(Read()->hash, one) << "even if its decisions are the same";
}

TEST_F(DecisionsInputTest, RunsThatCannotReplayAreRefused) {
  EXPECT_NE(WhyRefused().find("does not exist"), std::string::npos);
  Write(kKeep);
  EXPECT_EQ(WhyRefused(), "");
  options_.cluster = "components";
  EXPECT_NE(WhyRefused().find("$<cluster=leader>"), std::string::npos);
  options_.cluster = "leader";
  for (const char* estimate : {"sketch", "none"}) {
    options_.verify = estimate;
    EXPECT_NE(WhyRefused().find("$<verify=exact>"), std::string::npos) << estimate;
  }
  options_.verify = "sketch+exact";
  EXPECT_EQ(WhyRefused(), "");
}

}  // namespace
}  // namespace lookalike
