#include "search/memory_forecast.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

constexpr uint64_t kMemory = uint64_t{64} << 20;

/// Returns a job over texts of 1,000 bytes each.
Job JobOver(uint64_t documents) {
  Job job;
  job.sizes = {{1000 * documents}, documents};
  job.design = *ParseDesign("bands:4x4");
  return job;
}

std::string Refusal(const Job& job) {
  const Status status = CheckForecast(job, SourceOf(job).get(), PlanMemory(kMemory, 1));
  return status ? "" : status.error().what;
}

TEST(MemoryForecastTest, RanksThatCannotFitAreToldBeforeTheFirstRecord) {
  Job job = JobOver(10'000'000);
  EXPECT_EQ(Refusal(job), "") << "flags alone fit";
  job.choices.keep.criteria = {{KeepCriterion::By::kLongest}};
  EXPECT_NE(Refusal(job).find("10000000 documents, and their ranks"), std::string::npos);
  job = JobOver(100'000);
  job.choices.keep.criteria = {{KeepCriterion::By::kLongest}};
  EXPECT_EQ(Refusal(job), "");
}

TEST(MemoryForecastTest, CountersOfMergedShinglesLikewise) {
  Job job = JobOver(4'000'000);
  job.design.reset();
  job.choices.method.kind = MethodOption::Kind::kShingleMerge;
  EXPECT_NE(Refusal(job).find("$<method=shingle-merge>"), std::string::npos);
  job.sizes.documents /= 1000;
  EXPECT_EQ(Refusal(job), "");
}

TEST(MemoryForecastTest, FeaturesOfTheExactJoinLikewise) {
  Job job = JobOver(5'000'000);
  job.design.reset();
  job.choices.method.kind = MethodOption::Kind::kExact;
  EXPECT_NE(Refusal(job).find("the exact join"), std::string::npos);
  job.sizes.plain_bytes.front() /= 100;
  EXPECT_EQ(Refusal(job), "");
}

}  // namespace
}  // namespace lookalike
