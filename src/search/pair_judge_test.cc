#include "search/pair_judge.h"

#include <gtest/gtest.h>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using PairJudgeTest = WorkspaceTest;

Job EstimatingJob() {
  Job job;
  job.choices.verify = Verification::kSketch;
  job.sketch.coordinates = 64;
  return job;
}

TEST_F(PairJudgeTest, ExactPairsAreWhatWasCounted) {
  const Job job;
  const PairFigures figures = JudgeOf(job)->FiguresOf({0, 1, 30, 50, 40});
  EXPECT_EQ(figures.resemblance, .5);
  EXPECT_EQ(figures.common, 30u);
  EXPECT_EQ(figures.size_a, 50u);
  EXPECT_EQ(figures.size_b, 40u);
  EXPECT_EQ(figures.standard_error, 0);
}

TEST_F(PairJudgeTest, EstimatedOnesFollowFromTheirEqualCoordinates) {
  Job job = EstimatingJob();
  const PairFigures figures = JudgeOf(job)->FiguresOf({0, 1, 32, 90, 60, 64});
  EXPECT_EQ(figures.resemblance, .5);
  EXPECT_EQ(figures.common, 50u) << "a third of both sizes";
  EXPECT_EQ(figures.size_a, 90u);
  EXPECT_EQ(figures.standard_error, EstimateFromEqual(32, 64, 32).standard_error);
  EXPECT_EQ(JudgeOf(job)->FiguresOf({0, 1, 64, 90, 60, 64}).common, 60u)
      << "not more than the smaller has";
  job.sketch_bits = 8;
  EXPECT_LT(JudgeOf(job)->FiguresOf({0, 1, 0, 90, 60, 64}).resemblance, 0);
  EXPECT_EQ(JudgeOf(job)->FiguresOf({0, 1, 0, 90, 60, 64}).common, 0u);
}

TEST_F(PairJudgeTest, CopiesHaveEverythingInCommon) {
  const auto workspace = Ample();
  const Job exact;
  const StoredSets sets = SetsOf({{3, {7, 8, 9}}}, 4, workspace.get());
  const Edge copies = Got(JudgeOf(exact)->OfCopies(3, sets));
  EXPECT_EQ(copies.common, 3u);
  EXPECT_EQ(copies.size_a, 3u);
  EXPECT_EQ(copies.size_d, 3u);
  EXPECT_EQ(copies.looked, 0u);

  const Job estimating = EstimatingJob();
  std::vector<uint64_t> sketch(1 + 32, 5);  // 90 features, 64 coordinates
  sketch.front() = 90;
  const StoredSets sketches = SetsOf({{3, sketch}}, 4, workspace.get());
  const Edge alike = Got(JudgeOf(estimating)->OfCopies(3, sketches));
  EXPECT_EQ(alike.common, 64u);
  EXPECT_EQ(alike.looked, 64u);
  EXPECT_EQ(alike.size_a, 90u);
  EXPECT_EQ(alike.size_d, 90u);
}

TEST_F(PairJudgeTest, EachJudgeFindsEdgesInItsOwnData) {
  const auto workspace = Ample();
  Job exact, estimating = EstimatingJob();
  exact.options.threshold = estimating.options.threshold = .5;
  const std::vector<CandidatePair> pairs = {{0, 1}, {0, 2}};
  const auto edges = [&](const Job& job, const std::map<DocNumber, std::vector<uint64_t>>& data) {
    DocumentSets gathered;
    const DocNumber all[] = {0, 1, 2};
    EXPECT_TRUE(SetsOf(data, 3, workspace.get()).Gather(all, &gathered));
    return JudgeOf(job)->FindEdges(pairs, gathered, {});
  };
  const auto of_sets = edges(exact, {{0, {1, 2, 3}}, {1, {2, 3, 4}}, {2, {3, 4, 5}}});
  ASSERT_EQ(of_sets.size(), 1u);
  EXPECT_EQ(of_sets.front().common, 2u);
  const auto sketch = [](size_t equal) {
    std::vector<uint64_t> words(1 + 32, 0x100000001);
    for (size_t i = 1; i <= equal / 2; ++i) words[i] = 0x200000002;
    words.front() = 90;
    return words;
  };
  const auto of_sketches = edges(estimating, {{0, sketch(64)}, {1, sketch(40)}, {2, sketch(8)}});
  ASSERT_EQ(of_sketches.size(), 1u);
  EXPECT_EQ(of_sketches.front().d, 1u);
  EXPECT_GT(of_sketches.front().looked, 0u);
  EXPECT_FALSE(JudgeOf(estimating)->ReadsInputs());
  EXPECT_TRUE(JudgeOf(exact)->ReadsInputs());
}

}  // namespace
}  // namespace lookalike
