#include "search/measured_search.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "engine/small_workspace.h"
#include "run/resolve_job.h"

namespace lookalike {
namespace {

constexpr size_t kCouples = 300;

/// Couples of texts with 38 of 42 words in common; a design of one key misses every other couple.
class SearchAsAskedTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    WorkspaceTest::SetUp();
    std::mt19937_64 random(3);
    std::ofstream file(root_ + "/couples.jsonl", std::ios::binary);
    for (size_t i = 0; i < kCouples; ++i) {
      std::string common;
      for (int word = 0; word < 38; ++word) common += "w" + std::to_string(random()) + " ";
      for (const char* own : {"one two", "three four"}) {
        file << nlohmann::json{{"text", common + own}}.dump() << "\n";
      }
    }
  }

  Job NewJob(const std::string& design) const {
    Options options;
    options.shingle = "word:1";
    options.threshold = .8;
    options.design = design;
    return Got(ResolveJob({{root_ + "/couples.jsonl"}}, options, {.spool_dir = root_ + "/spool"}));
  }

  /// Makes a job whose design, which the options do not name, finds half of the pairs.
  Job BadJob() const {
    Job job = NewJob("");
    job.design = *ParseDesign("bands:1x8");
    return job;
  }

  Result<MeasuredSearch> Run(Job* job, Workspace* workspace) {
    Observer observer;
    observer.message = [this](std::string_view line) { messages_.emplace_back(line); };
    return SearchAsAsked(Purpose::kDecisions, observer, job, workspace);
  }

  std::vector<std::string> messages_;
};

TEST_F(SearchAsAskedTest, SearchesAgainWhereTooLittleWasFound) {
  Job job = BadJob();
  const auto workspace = Ample();
  const MeasuredSearch made = Got(Run(&job, workspace.get()));
  EXPECT_TRUE(made.recall.audit.met);
  EXPECT_GE(made.decisions->removed_near, kCouples * 99 / 100);
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_NE(messages_[0].find("searching again with " + job.DesignName()), std::string::npos)
      << messages_[0];
  EXPECT_EQ(workspace->meter().stages().front().name, "first_search");
  EXPECT_DOUBLE_EQ(job.PlannedRecall(), .999);
  EXPECT_DOUBLE_EQ(made.recall.audit.asked, .99) << "what was asked stays";
}

TEST_F(SearchAsAskedTest, ADesignThatWasAskedForStays) {
  Job job = NewJob("bands:1x8");
  const auto workspace = Ample();
  const MeasuredSearch made = Got(Run(&job, workspace.get()));
  EXPECT_FALSE(made.recall.audit.met);
  EXPECT_LT(made.decisions->removed_near, kCouples * 3 / 4);
  EXPECT_EQ(job.DesignName(), "bands:1x8");
  EXPECT_TRUE(messages_.empty());
}

TEST_F(SearchAsAskedTest, WhereEnoughWasFoundOneSearchIsAll) {
  Job job = NewJob("");
  const std::string design = job.DesignName();
  const auto workspace = Ample();
  EXPECT_TRUE(Got(Run(&job, workspace.get())).recall.audit.met);
  EXPECT_EQ(job.DesignName(), design);
  EXPECT_TRUE(messages_.empty());
}

// The units of both searches are in one journal.
TEST_F(SearchAsAskedTest, ARunThatIsStoppedAfterEachUnitFindsTheSame) {
  Job whole = BadJob();
  const auto ample = Ample();
  const MeasuredSearch expected = Got(Run(&whole, ample.get()));
  int attempts = 0;
  while (true) {
    Workspace::Setup setup = Setup(kAmpleMemory, 0);
    setup.scratch = root_ + "/resumed";
    setup.journal = root_ + "/journal";
    setup.resume = attempts++ > 0;
    setup.stress.spill_everything = true;
    setup.stress.stop_after = 1;
    const auto workspace = Got(Workspace::Open(std::move(setup)));
    Job job = BadJob();
    const auto made = Run(&job, workspace.get());
    ASSERT_LT(attempts, 50);
    if (!made) {
      ASSERT_TRUE(made.error().what.starts_with(kStoppedOnPurpose)) << made.error().ToString();
      continue;
    }
    EXPECT_EQ(job.DesignName(), whole.DesignName());
    EXPECT_EQ(made->decisions->removed_near, expected.decisions->removed_near);
    for (DocNumber doc = 0; doc < 2 * kCouples; ++doc) {
      ASSERT_EQ(made->decisions->removed.Test(doc), expected.decisions->removed.Test(doc)) << doc;
    }
    break;
  }
  EXPECT_GE(attempts, 6) << "three units of each search";
}

}  // namespace
}  // namespace lookalike
