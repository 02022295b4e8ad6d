#include "threads/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

// Nothing here is atomic or locked: under ThreadSanitizer these tests show that every hand-over of
// a loop or pipeline is reported.

TEST(ParallelForTest, CallsTheBodyOnceForEachIndexAndSeesWhatCameBefore) {
  std::vector<uint64_t> given(20'000), made(given.size());
  std::iota(given.begin(), given.end(), 1);
  ParallelFor(size_t{5}, given.size(), [&](size_t i) { made[i] += given[i] * 2; });
  for (size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], i < 5 ? 0 : 2 * (i + 1)) << i;
}

TEST(ParallelForTest, LoopsWithinLoopsHandOverToTheirOwn) {
  std::vector<std::vector<std::string>> words(40);
  ParallelFor(size_t{0}, words.size(), [&](size_t i) {
    words[i].resize(50);
    ParallelFor(size_t{0}, words[i].size(),
                [&, i](size_t j) { words[i][j] = std::to_string(i + j); });
    for (size_t j = 0; j < words[i].size(); ++j) words[i][j] += words[i][words[i].size() - 1 - j];
  });
  EXPECT_EQ(words[39][0], "3988");
}

TEST(ParallelForTest, AnExceptionComesOut) {
  EXPECT_THROW(ParallelFor(0, 100,
                           [](int i) {
                             if (i == 50) throw std::runtime_error("50");
                           }),
               std::runtime_error);
}

TEST(ParallelForTest, OverNothingCallsNothing) {
  ParallelFor(3, 3, [](int) { FAIL(); });
  ParallelForRanges(3, 3, 2, [](int, int) { FAIL(); });
}

TEST(ParallelForTest, RangesMakeUpTheWhole) {
  std::vector<uint32_t> calls(10'001);
  ParallelForRanges(size_t{1}, calls.size(), 16, [&](size_t first, size_t last) {
    EXPECT_LT(first, last);
    for (size_t i = first; i < last; ++i) ++calls[i];
  });
  EXPECT_EQ(calls[0], 0);
  for (size_t i = 1; i < calls.size(); ++i) ASSERT_EQ(calls[i], 1) << i;
}

TEST(ParallelSortTest, SortsByTheGivenOrder) {
  std::vector<uint32_t> numbers(100'000);
  std::mt19937 random(7);
  for (uint32_t& number : numbers) number = static_cast<uint32_t>(random());
  std::vector<uint32_t> expected = numbers;
  std::sort(expected.begin(), expected.end());
  ParallelSort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, expected);
  std::reverse(expected.begin(), expected.end());
  ParallelSort(numbers.begin(), numbers.end(), std::greater<>());
  EXPECT_EQ(numbers, expected);
}

// Parts are split at one of their values: all equal, few distinct, the least of all most often, and
// orders that are already there.
TEST(ParallelSortTest, SortsRepetitionsAndOrderedInput) {
  std::mt19937 random(7);
  for (const uint32_t distinct : {1U, 2U, 3U, 1000U}) {
    std::vector<uint32_t> numbers(300'000);
    for (uint32_t& number : numbers) number = static_cast<uint32_t>(random() % distinct);
    std::fill_n(numbers.begin() + 50'000, 200'000, 0);
    std::vector<uint32_t> expected = numbers;
    std::sort(expected.begin(), expected.end());
    ParallelSort(numbers.begin(), numbers.end());
    ASSERT_EQ(numbers, expected) << distinct;
    ParallelSort(numbers.begin(), numbers.end());
    ASSERT_EQ(numbers, expected) << distinct;
    std::reverse(numbers.begin(), numbers.end());
    ParallelSort(numbers.begin(), numbers.end());
    ASSERT_EQ(numbers, expected) << distinct;
  }
}

// Comparisons are counted: a part whose values are in their place is not sorted again.
TEST(ParallelSortTest, ValuesInTheirPlaceAreNotSortedAgain) {
  for (const auto& [distinct, most] : {std::pair{1U, 4U}, std::pair{2U, 5U}}) {
    std::vector<uint32_t> numbers(1 << 18);
    std::mt19937 random(7);
    for (uint32_t& number : numbers) number = static_cast<uint32_t>(random() % distinct);
    std::atomic<size_t> compared = 0;
    ParallelSort(numbers.begin(), numbers.end(), [&](uint32_t a, uint32_t b) {
      ++compared;
      return a < b;
    });
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    EXPECT_LT(compared, most * numbers.size()) << distinct;
  }
}

TEST(ParallelPipelineTest, TakesInTheOrderOfReading) {
  int next = 0;
  std::vector<std::string> taken;
  const auto read = [&] {
    return next < 1000 ? std::optional(std::vector(3, next++)) : std::nullopt;
  };
  const auto work = [](const std::vector<int>& item) { return std::to_string(item[1] + item[2]); };
  ParallelPipeline(4, read, work, [&](std::string out) {
    taken.push_back(std::move(out));
    return true;
  });
  ASSERT_EQ(taken.size(), 1000);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(taken[i], std::to_string(2 * i));
}

TEST(ParallelPipelineTest, ReadsNoFurtherThanAllowedAheadOfTheTakenOnes) {
  int read = 0, taken = 0;
  std::mutex mutex;
  ParallelPipeline(
      3,
      [&]() -> std::optional<int> {
        const std::lock_guard lock(mutex);
        EXPECT_LT(read - taken, 3);
        return read < 500 ? std::optional(read++) : std::nullopt;
      },
      [](int item) { return item; },
      [&](int) {
        const std::lock_guard lock(mutex);
        return ++taken > 0;
      });
  EXPECT_EQ(taken, 500);
}

TEST(ParallelPipelineTest, ATakerThatEndsItIsNotCalledAgain) {
  int read = 0, taken = 0;
  ParallelPipeline(
      4, [&] { return std::optional(read++); }, [](int item) { return item; },
      [&](int item) {
        ++taken;
        return item < 9;
      });
  EXPECT_EQ(taken, 10);
  EXPECT_LE(read, 14);
}

TEST(ParallelPipelineTest, AnExceptionComesOut) {
  int read = 0;
  EXPECT_THROW(ParallelPipeline(
                   2, [&] { return std::optional(std::string(100, 'x') + std::to_string(read++)); },
                   [](std::string item) {
                     return item.ends_with("x7") ? throw std::runtime_error("7") : item;
                   },
                   [](const std::string&) { return true; }),
               std::runtime_error);
}

/// Uses the processor of this thread for `milliseconds`.
void Work(double milliseconds) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  };
  const double end = now() + milliseconds;
  while (now() < end) {
  }
}

/// Returns the span of `body()` in milliseconds, in an arena of `threads` threads.
template <class Body>
double SpanOf(size_t threads, const Body& body) {
  double span = 0;
  RunInArena(threads, [&] {
    const double before = SpanSeconds();
    body();
    span = (SpanSeconds() - before) * 1e3;
  });
  return span;
}

// The bounds above are far from what is measured on an idle machine, and below all the work.
TEST(SpanTest, OfALoopIsThatOfItsLongestCall) {
  for (const size_t threads : {1, 2, 8}) {
    const double span = SpanOf(threads, [] {
      Work(10);
      ParallelFor(0, 8, [](int i) { RunRanges(0, 1, 1, [&](size_t, size_t) { Work(10 + i); }); });
      Work(10);
    });
    EXPECT_GE(span, 20 + 10) << threads;
    EXPECT_LT(span, 90) << threads << ": all calls take 128 ms";
  }
}

// One thread makes few ranges of many calls.
TEST(SpanTest, OfCallsInOneRangeIsThatOfOne) {
  const double span = SpanOf(1, [] { ParallelFor(0, 1 << 14, [](int) { Work(.01); }); });
  EXPECT_GE(span, .01 - 1e-3);
  EXPECT_LT(span, .5) << "the 128 calls of a range take 1.3 ms";
}

TEST(SpanTest, OfAPipelineIsItsLongestChain) {
  const auto run = [](int read_ms, int work_ms, int take_ms) {
    return SpanOf(4, [=] {
      int next = 0;
      ParallelPipeline(
          3,
          [&]() -> std::optional<int> {
            Work(read_ms);
            return next < 10 ? std::optional<int>(next++) : std::nullopt;
          },
          [&](int i) {
            Work(work_ms);
            return i;
          },
          [&](int) {
            Work(take_ms);
            return true;
          });
    });
  };
  const double reads = run(8, 8, 0), works = run(0, 20, 0), takes = run(0, 8, 8);
  EXPECT_GE(reads, 10 * 8 + 8 - 1e-3) << "the last item is read, then worked on";
  EXPECT_LT(reads, 140) << "reading and work take 168 ms";
  EXPECT_GE(works, 20 - 1e-3);
  EXPECT_LT(works, 120) << "all the work takes 200 ms";
  EXPECT_GE(takes, 8 + 10 * 8 - 1e-3) << "the first item is worked on, then all are taken";
  EXPECT_LT(takes, 130) << "work and taking take 160 ms";
}

// A lane that is read by one chain makes its pipeline no shorter; two lanes do.
TEST(SpanTest, LoopsWithinLoopsAddTheirChains) {
  const auto lanes = [](int count) {
    return SpanOf(4, [=] {
      ParallelFor(0, count, [&](int) {
        for (int i = 0; i < 3; ++i) {
          Work(20 / count);
          ParallelFor(0, 4, [&](int) { Work(8 / count); });
        }
      });
    });
  };
  const double one = lanes(1), two = lanes(2);
  EXPECT_GE(one, 3 * (20 + 2));
  EXPECT_LT(one, 140) << "all the work takes 156 ms";
  EXPECT_LT(two, one * .75);
}

}  // namespace
}  // namespace lookalike
