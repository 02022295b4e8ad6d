#include "batch/job.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

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
      [](Job* job) { job->rules.leaders += 1; },
      [](Job* job) { job->rules.agreement_floor += 1; },
      [](Job* job) { job->rules.extensions = {PlanExtension(.8, .99, 128, 0)}; },
      [](Job* job) { job->rules.all_pairs = true; },
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
    const Result<Job> job =
        ResolveJob({LOOKALIKE_TEST_DATA "/peps/peps.jsonl.zst"}, options, false, "");
    ASSERT_TRUE(job) << job.error().ToString();
    EXPECT_EQ(job->rules.agreement_floor,
              CodeAgreementFloor(options.threshold, 128, .001 * (1 - recall)));
  }
}

}  // namespace
}  // namespace lookalike
