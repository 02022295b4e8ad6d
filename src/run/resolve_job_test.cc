#include "run/resolve_job.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run/job_description.h"
#include "run/search_terms.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

// Each of these decides which documents stay, so that none may be left out of the digest.
TEST(JobDigestTest, DiffersWithEverythingThatDecidesTheAnswer) {
  const std::vector<std::function<void(Job*)>> changes = {
      [](Job*) {},
      [](Job* job) { job->options.threshold = .7; },
      [](Job* job) { job->design = *ParseDesign("bands:20x5"); },
      [](Job* job) { job->design = *ParseDesign("bands:16x8"); },
      [](Job* job) { job->fields.text = "body"; },
      [](Job* job) { job->fields.id = "key"; },
      [](Job* job) { job->fields.keep = "score"; },
      [](Job* job) { job->rules.small += 1; },
      [](Job* job) { job->rules.small_at_last += 1; },
      [](Job* job) { job->rules.leaders += 1; },
      [](Job* job) { job->rules.agreement_floor += 1; },
      [](Job* job) { job->rules.cover_floor = 100; },
      [](Job* job) { job->rules.extensions = {PlanExtension(.8, .99, 128, 0)}; },
      [](Job* job) { job->rules.all_pairs = true; },
      [](Job* job) { job->people.hash = "0123"; },
      [](Job* job) { job->people.hash = "4567"; },
      [](Job* job) {
        job->options.text_field = {"title", "body"};
        job->options.fields = "any";
      },
      [](Job* job) {
        job->options.text_field = {"title", "body"};
        job->design = *ParseDesign("bands:20x5");
        job->further_designs = {*ParseDesign("bands:16x8")};
      },
  };
  std::set<std::string> digests;
  for (size_t i = 0; i < changes.size(); ++i) {
    Job job;
    changes[i](&job);
    EXPECT_TRUE(digests.insert(JobDigest(job)).second) << "change " << i;
  }
}

// The code filter may cost a thousandth of the pairs that the recall allows to be missed.
TEST(ResolveJobTest, TheCodeFilterTakesItsShareOfTheAllowedMisses) {
  Options options;
  for (const double recall : {.5, .9, .99, .999}) {
    options.recall = recall;
    const Result<Job> job = ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, {});
    ASSERT_TRUE(job) << job.error().ToString();
    EXPECT_EQ(job->rules.agreement_floor,
              CodeAgreementFloor(options.threshold, 128, .001 * (1 - recall)));
  }
}

// Each field is searched as the only text of a collection would be, by its own threshold.
TEST(ResolveJobTest, AFieldThatIsSearchedByItselfHasItsOwnDesign) {
  const std::string input = LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst";
  Options alone;
  alone.text_field = {"text"};
  std::vector<std::string> designs;
  for (const double threshold : {.9, .6}) {
    alone.threshold = threshold;
    designs.push_back(ResolveJob({input}, alone, {})->DesignName());
  }
  Options options;
  options.text_field = {"text", "id"};
  options.fields = "any";
  options.threshold.fields = {{"text", .9}, {"id", .6}};
  options.threshold.least = .6;
  const Result<Job> job = ResolveJob({input}, options, {});
  ASSERT_TRUE(job) << job.error().ToString();
  EXPECT_EQ(job->DesignName(), designs[0] + " + " + designs[1]);
  EXPECT_EQ(job->AuditDocuments(), 0U);
  for (size_t field = 0; field < 2; ++field) {
    const Job searching = JobOfField(*job, field);
    EXPECT_EQ(ToString(*searching.design), designs[field]);
    EXPECT_EQ(searching.KeyThreshold(), field == 0 ? .9 : .6);
    ASSERT_TRUE(searching.few);
    EXPECT_EQ(searching.few->most(), FewFeatures(searching.KeyThreshold()).most());
    EXPECT_EQ(searching.rules.extensions.size(), job->rules.extensions.size());
  }
  options.threshold = .9;
  EXPECT_EQ(ResolveJob({input}, options, {})->DesignName(), designs[0]) << "named once";
}

TEST(ResolveJobTest, TheDesignIsThatOfThePlanner) {
  Options options;
  for (const double threshold : {.5, .8}) {
    options.threshold = threshold;
    options.memory = 0, options.threads = 1;
    const auto job = ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, {});
    ASSERT_TRUE(job.has_value()) << job.error().ToString();
    const auto chosen = ChooseSearch(TermsOf(*job), SizeOf(*job).documents);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(job->DesignName(), ToString(*chosen));
    options.memory = 64 << 20, options.threads = 7;
    const auto other =
        ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, {.all_pairs = true});
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->DesignName(), job->DesignName()) << "memory, threads, the command";
  }
  options.threshold = .01;
  EXPECT_EQ(ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, {})->DesignName(),
            "exact");
  options.method = "lsh";
  const auto none = ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, {});
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().what.find("cannot be reached"), std::string::npos) << none.error().what;
}

class SameJobTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_same_job_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
    Write("a.jsonl", std::string(3 << 20, 'a'));
    Write("b.jsonl", "{}\n");
    for (const char* name : {"/a.jsonl", "/b.jsonl"}) {
      InputFile file;
      file.path = root_ + name;
      job_.inputs.Add(file);
    }
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(root_ + "/" + name, std::ios::binary) << bytes;
  }

  static std::string Describe(const Job& job) {
    const auto text = DescribeJob(job);
    EXPECT_TRUE(text) << text.error().ToString();
    return text.value_or("");
  }

  /// Changes an input of a job.
  static void Change(size_t i, const std::function<void(InputFile*)>& change, Job* job) {
    InputFile file = job->inputs[i];
    change(&file);
    job->inputs.Replace(i, file);
  }

  /// Returns what prevents resuming `job_` as `other`; empty: nothing.
  [[nodiscard]] std::string Difference(const Job& other) const {
    const auto same = CheckSameJob({Describe(job_)}, Describe(other));
    return same ? "" : same.error().ToString();
  }

  std::string root_;
  Job job_;
};

TEST_F(SameJobTest, TheSameJobIsTakenUp) {
  const auto same = CheckSameJob({Describe(job_)}, Describe(job_));
  ASSERT_TRUE(same) << same.error().ToString();
  Job other = job_;
  other.options.threads = 7;
  other.options.memory = uint64_t{5} << 30;
  EXPECT_EQ(Difference(other), "") << "neither changes a result";
}

TEST_F(SameJobTest, AnErrorNamesTheOptionThatDiffers) {
  Job other = job_;
  other.options.threshold = .7;
  EXPECT_NE(Difference(other).find("threshold is "), std::string::npos) << Difference(other);
  other = job_;
  other.options.keep = {"longest"};
  EXPECT_NE(Difference(other).find("keep is "), std::string::npos) << Difference(other);
}

TEST_F(SameJobTest, WhatDecidesWithoutBeingAnOptionCountsToo) {
  const std::vector<std::pair<std::string, std::function<void(Job*)>>> changes = {
      {"options_digest", [](Job* job) { job->rules.small += 1; }},
      {"options_digest", [](Job* job) { job->fields.text = "body"; }},
      {"partitions", [](Job* job) { job->partition_bits += 1; }},
      {"decisions", [](Job* job) { job->people.hash = "0123"; }},
      {"reference_inputs", [](Job* job) { job->reference_inputs = 1; }},
  };
  for (const auto& [name, change] : changes) {
    Job other = job_;
    change(&other);
    EXPECT_NE(Difference(other).find(name), std::string::npos) << Difference(other);
  }
}

TEST_F(SameJobTest, AnErrorNamesTheInputThatDiffers) {
  Job other = job_;
  Change(
      1, [](InputFile* file) { file->size = 17; }, &other);
  EXPECT_NE(Difference(other).find("b.jsonl"), std::string::npos);
  other = job_;
  Change(
      0, [](InputFile* file) { file->mtime_ns = 17; }, &other);
  EXPECT_NE(Difference(other).find("a.jsonl"), std::string::npos);
  other = job_;
  other.inputs = {job_.inputs[0]};
  EXPECT_NE(Difference(other).find("b.jsonl"), std::string::npos);
  std::swap(other.inputs, job_.inputs);
  EXPECT_NE(Difference(other).find("b.jsonl"), std::string::npos) << "one more than there was";
}

// The description of very many inputs stays small.
TEST_F(SameJobTest, VeryManyInputsAreDescribedSeveralAtATime) {
  Job many;
  for (int i = 0; i < 5000; ++i) many.inputs.Add(job_.inputs[1]);
  EXPECT_LT(Describe(many).size(), 300'000u);
  Job other = many;
  const auto same = CheckSameJob({Describe(many)}, Describe(other));
  EXPECT_TRUE(same) << same.error().ToString();
  Change(
      4321, [](InputFile* file) { file->mtime_ns = 17; }, &other);
  const auto changed = CheckSameJob({Describe(many)}, Describe(other));
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().what.find("one of the 5 inputs that start with this one"),
            std::string::npos);
}

// A file may be overwritten within the same tick of the clock, and with the same size.
TEST_F(SameJobTest, BytesAtTheFrontAndAtTheEndAreLookedAt) {
  const std::string before = Describe(job_);
  for (const size_t at :
       {size_t{0}, (size_t{1} << 20) - 1, size_t{2} << 20, (size_t{3} << 20) - 1}) {
    std::string bytes(3 << 20, 'a');
    bytes[at] = 'b';
    Write("a.jsonl", bytes);
    const auto same = CheckSameJob({before}, Describe(job_));
    ASSERT_FALSE(same) << at;
    EXPECT_EQ(same.error().where, root_ + "/a.jsonl");
  }
}

TEST_F(SameJobTest, AnInputThatCannotBeReadIsAnError) {
  Change(
      1, [&](InputFile* file) { file->path = root_ + "/gone.jsonl"; }, &job_);
  EXPECT_FALSE(DescribeJob(job_));
  Change(
      1, [](InputFile* file) { file->problem = "it is not there"; }, &job_);
  EXPECT_TRUE(DescribeJob(job_)) << "it is skipped, and known to be";
}

TEST_F(SameJobTest, AnythingElseIsAnErrorThatSaysWhatToDo) {
  const std::string now = Describe(job_);
  std::string other_version = now;
  const size_t version = other_version.find("\"version\": \"") + 12;
  other_version.insert(version, "9");
  for (const std::string& earlier :
       {std::string(), std::string("null"), std::string("[1]"), std::string("{}"),
        now.substr(0, now.size() / 2), other_version}) {
    const auto same = CheckSameJob({earlier}, now);
    ASSERT_FALSE(same) << earlier;
    EXPECT_NE(same.error().what.find("$<resume>"), std::string::npos) << same.error().what;
  }
}

}  // namespace
}  // namespace lookalike
