#include "lookalike/configuration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {
namespace {

Result<Options> Resolve(std::string_view text, Command command = Command::kDedup,
                        std::string_view preset = "") {
  return ResolveOptions(command, preset, text, "f.toml");
}

std::string MessageOf(std::string_view text, Command command = Command::kDedup) {
  const auto options = Resolve(text, command);
  return options ? "" : options.error().ToString();
}

TEST(Configuration, NothingGivesDefaults) {
  const auto options = Resolve("# nothing\n");
  ASSERT_TRUE(options);
  for (const OptionRow& row : OptionTable()) {
    EXPECT_EQ(OptionText(row, *options), OptionText(row, Options())) << row.name;
  }
}

TEST(Configuration, TakesEveryKindOfValue) {
  const auto options = Resolve(
      "threshold = 1\nrecall = 0.5\nseed = 7\nmemory = '1G'\nmax-record = 1000\n"
      "max-errors = 'unlimited'\nkeep = 'longest'\noverwrite = true\nagainst = ['a', 'b,c']\n");
  ASSERT_TRUE(options) << options.error().ToString();
  EXPECT_EQ(options->threshold, 1);
  EXPECT_EQ(options->recall, 0.5);
  EXPECT_EQ(options->seed, 7u);
  EXPECT_EQ(options->memory, uint64_t{1} << 30);
  EXPECT_EQ(options->max_record, 1000u);
  EXPECT_EQ(options->max_errors, UINT64_MAX);
  EXPECT_EQ(options->keep, std::vector<std::string>{"longest"});
  EXPECT_TRUE(options->overwrite);
  EXPECT_EQ(options->against, (std::vector<std::string>{"a", "b,c"}));
  EXPECT_EQ(Resolve("against = 'a'")->against, std::vector<std::string>{"a"});
  EXPECT_EQ(Resolve("keep = ['source:a,b', 'longest']")->keep,
            (std::vector<std::string>{"source:a,b", "longest"}));
}

TEST(Configuration, TablesCountForTheirCommandAndWin) {
  constexpr std::string_view kText =
      "threshold = 0.5\nagainst = ['a']\nkeep = 'longest'\n"
      "[dedup]\nthreshold = 0.6\nagainst = ['b']\n[pairs]\nyes = true\n";
  const auto dedup = Resolve(kText);
  ASSERT_TRUE(dedup) << dedup.error().ToString();
  EXPECT_EQ(dedup->threshold, 0.6);
  EXPECT_EQ(dedup->against, std::vector<std::string>{"b"});
  EXPECT_FALSE(dedup->yes);
  const auto pairs = Resolve(kText, Command::kPairs);
  EXPECT_EQ(pairs->threshold, 0.5);
  EXPECT_TRUE(pairs->keep.empty()) << "pairs has no such option";
  EXPECT_TRUE(pairs->yes);
}

TEST(Configuration, ErrorsNameFileLineAndWhatIsTaken) {
  const struct {
    std::string_view text, place, said;
  } bad[] = {
      {"\ntresh = 1", "f.toml:2: ", "no option 'tresh'"},
      {"min_features = 2", "f.toml:1: ", "did you mean min-features?"},
      {"[dedpu]\nseed = 1", "f.toml:1: ", "no command 'dedpu'"},
      {"[plan]\n\nyes = true", "f.toml:3: ", "plan has no option 'yes'"},
      {"[pairs]\nseed = 'x'", "f.toml:2: ", "seed is a string here; use a whole number"},
      {"recall = '0.5'", "f.toml:1: ", "recall is a string here; use a number"},
      {"threshold = 7", "f.toml:1: ", "'7' is not allowed"},
      {"threshold = nan", "f.toml:1: ", "'nan' is not allowed"},
      {"seed = -1", "f.toml:1: ", "'-1' is not understood"},
      {"seed = 1.5", "f.toml:1: ", "seed is a number with a point here"},
      {"json = 1", "f.toml:1: ", "json is a whole number here; use true or false"},
      {"keep = 1979-05-27", "f.toml:1: ", "keep is a date or time here"},
      {"cluster = ['leader']", "f.toml:1: ", "cluster is an array here"},
      {"keep = ['longest', 3]", "f.toml:1: ", "keep is a whole number here"},
      {"keep = ['longest', 'longest']", "f.toml:1: ", "is given twice"},
      {"against = ['a',\n 2]", "f.toml:2: ", "against is a whole number here"},
      {"against = ['a', ['b']]", "f.toml:1: ", "use files"},
      {"memory = '63M'", "f.toml:1: ", "64M or more"},
      {"threshold.x = 1", "f.toml:1: ", "threshold is a table here"},
      {"preset = 'wbe'", "f.toml:1: ", "no preset 'wbe'"},
      {"preset = 3", "f.toml:1: ", "no preset a whole number"},
      {"seed = 1\nseed = 2", "f.toml:2: ", "not TOML"},
      {"seed 1", "f.toml:1: ", "not TOML"},
      {"keep = '\xff'", "f.toml:1: ", "not TOML"},
      {"[$", "f.toml:1: ", "not TOML"},
  };
  for (const auto& [text, place, said] : bad) {
    const std::string message = MessageOf(text);
    EXPECT_TRUE(message.starts_with(place)) << text << ": " << message;
    EXPECT_NE(message.find(said), std::string::npos) << text << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(Configuration, DeepNestingIsAnErrorNotACrash) {
  EXPECT_NE(MessageOf("against = " + std::string(100'000, '[')), "");
}

TEST(Presets, AreValidForEveryCommandAndChangeSomething) {
  for (const Preset& preset : Presets()) {
    EXPECT_FALSE(preset.purpose.empty());
    EXPECT_TRUE(preset.purpose.ends_with('.')) << preset.purpose;
    for (const CommandRow& command : CommandTable()) {
      const auto options = Resolve("", command.command, preset.name);
      ASSERT_TRUE(options) << preset.name << ": " << options.error().ToString();
      EXPECT_TRUE(options->Validate()) << preset.name;
    }
    EXPECT_NE(OptionsDigest(*Resolve("", Command::kDedup, preset.name), Command::kDedup),
              OptionsDigest(Options(), Command::kDedup))
        << preset.name;
  }
  EXPECT_EQ(Presets().size(), 18u);
}

TEST(Presets, HoldBehaviourOnly) {
  // A preset that gives consent, hides messages or sets a memory limit would surprise.
  for (const Preset& preset : Presets()) {
    const Options options = *Resolve("", Command::kDedup, preset.name);
    for (const OptionRow& row : OptionTable()) {
      if (row.kind == OptionClass::kBehaviour) continue;
      EXPECT_EQ(OptionText(row, options), OptionText(row, Options())) << preset.name << row.name;
    }
  }
}

TEST(Presets, FileWinsOverPresetAndGivenPresetOverThatOfTheFile) {
  EXPECT_EQ(Resolve("preset = 'mirrors'")->threshold, 0.95);
  const auto both = Resolve("preset = 'mirrors'\nthreshold = 0.9\n");
  EXPECT_EQ(both->threshold, 0.9);
  EXPECT_EQ(both->recall, 0.999);
  const auto other = Resolve("preset = 'mirrors'\nrecall = 0.8\n", Command::kDedup, "news");
  EXPECT_EQ(other->threshold, 0.5);
  EXPECT_EQ(other->recall, 0.8);
  EXPECT_EQ(Resolve("preset = 'news'\n[dedup]\npreset = 'mirrors'\n")->threshold, 0.95);
  EXPECT_EQ(Resolve("preset = 'news'\n[pairs]\npreset = 'mirrors'\n")->threshold, 0.5);
}

TEST(Presets, UnknownNamesListAll) {
  const auto failed = Resolve("", Command::kDedup, "basket");
  ASSERT_FALSE(failed);
  for (const Preset& preset : Presets()) {
    EXPECT_NE(failed.error().what.find(preset.name), std::string::npos);
  }
}

}  // namespace
}  // namespace lookalike
