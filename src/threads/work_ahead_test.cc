#include "threads/work_ahead.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <thread>

#include "threads/parallel.h"

namespace lookalike {
namespace {

/// A job that counts its runs, and may wait for permission to end.
struct Counted {
  int number = 0;
  std::atomic<int>* runs = nullptr;
  const std::atomic<bool>* may_end = nullptr;
  std::unique_ptr<int> made = {};

  void Run() {
    ++*runs;
    while (may_end != nullptr && !*may_end) std::this_thread::yield();
    made = std::make_unique<int>(number);
  }
};

TEST(WorkAhead, JobsComeInOrderAndAreDoneOnce) {
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena arena(threads);
    arena.execute([] {
      std::atomic<int> runs = 0;
      WorkAhead<Counted> jobs;
      for (int added = 0, taken = 0; taken < 500; ++taken) {
        while (jobs.size() < 5) jobs.Add({added++, &runs});
        auto [job, done] = jobs.TakeFirst();
        EXPECT_EQ(job.number, taken);
        EXPECT_EQ(job.made != nullptr, done);
        if (ThreadsHere() == 1) {
          EXPECT_FALSE(done);
        }
        if (!done) job.Run();
        EXPECT_EQ(*job.made, taken);
      }
      jobs.Drop();
      EXPECT_GE(runs, 500);
      EXPECT_LE(runs, 505);
    });
  }
}

TEST(WorkAhead, TheFirstJobCanBeTakenDone) {
  for (const int threads : {1, 8}) {
    tbb::task_arena arena(threads);
    arena.execute([] {
      std::atomic<int> runs = 0;
      WorkAhead<Counted> jobs;
      EXPECT_FALSE(jobs.FirstIsDone());
      for (int i = 0; i < 100; ++i) jobs.Add({i, &runs});
      for (int i = 0; i < 100; ++i) EXPECT_EQ(*jobs.TakeFirstDone().made, i);
      EXPECT_EQ(runs, 100);
      EXPECT_FALSE(jobs.FirstIsDone());
    });
  }
}

TEST(WorkAhead, SaysWhetherTheFirstJobIsDone) {
  tbb::task_arena arena(2);
  arena.execute([] {
    std::atomic<int> runs = 0;
    std::atomic<bool> may_end = false;
    WorkAhead<Counted> jobs;
    jobs.Add({1, &runs, &may_end});
    while (runs == 0) std::this_thread::yield();
    EXPECT_FALSE(jobs.FirstIsDone()) << "it is running";
    may_end = true;
    while (!jobs.FirstIsDone()) std::this_thread::yield();
    EXPECT_EQ(jobs.TakeFirst().job.number, 1);
  });
}

/// A job that takes some milliseconds of processor time.
struct Long {
  void Run() {
    const double begin = SpanSeconds();
    while (SpanSeconds() - begin < .01) {
    }
  }
};

// The span is the same whoever runs the jobs: only the last one is waited for.
TEST(WorkAhead, JobsAreOnTheSpanOfTheirOwnerOnlyIfNoneFollows) {
  for (const int threads : {1, 2}) {
    tbb::task_arena arena(threads);
    arena.execute([] {
      WorkAhead<Long> jobs;
      for (int i = 0; i < 10; ++i) jobs.Add({});
      const double before = SpanSeconds();
      for (int i = 0; i < 10; ++i) jobs.TakeFirstDone();
      const double span = SpanSeconds() - before;
      EXPECT_GE(span, .01);
      EXPECT_LT(span, .05) << "ten jobs take .1 s";
    });
  }
}

TEST(WorkAhead, AnotherThreadTakesUpWhatWaits) {
  tbb::task_arena arena(2);
  arena.execute([] {
    std::atomic<int> runs = 0;
    WorkAhead<Counted> jobs;
    jobs.Add({1, &runs});
    while (runs == 0) std::this_thread::yield();  // this thread leaves the job alone
    EXPECT_TRUE(jobs.TakeFirst().done);
    EXPECT_EQ(jobs.size(), 0U);
  });
}

TEST(WorkAhead, WhoMustWaitWorksOnWhatFollows) {
  tbb::task_arena arena(2);
  arena.execute([] {
    std::atomic<int> runs = 0;
    std::atomic<bool> second_done = false;
    WorkAhead<Counted> jobs;
    jobs.Add({1, &runs, &second_done});
    while (runs == 0) std::this_thread::yield();
    jobs.Add({2, &runs});  // the other thread runs the first job until this one has begun
    std::thread ender([&] {
      while (runs < 2) std::this_thread::yield();
      second_done = true;
    });
    EXPECT_EQ(jobs.TakeFirst().job.number, 1);
    ender.join();
    EXPECT_EQ(runs, 2);
    EXPECT_TRUE(jobs.TakeFirst().done);
  });
}

TEST(WorkAhead, WhatIsDroppedIsNotBegunAndWhatWasBegunIsAwaited) {
  tbb::task_arena arena(2);
  arena.execute([] {
    std::atomic<int> runs = 0;
    std::atomic<bool> may_end = false;
    std::thread ender([&] {
      while (runs == 0) std::this_thread::yield();
      may_end = true;
    });
    {
      WorkAhead<Counted> jobs;
      jobs.Add({1, &runs, &may_end});
      while (runs == 0) std::this_thread::yield();
      jobs.Add({2, &runs});
    }
    EXPECT_TRUE(may_end);
    ender.join();
    EXPECT_LE(runs, 2);
  });
  tbb::task_arena alone(1);
  alone.execute([] {
    std::atomic<int> runs = 0;
    { WorkAhead<Counted>().Add({1, &runs}); }
    EXPECT_EQ(runs, 0);
  });
}

}  // namespace
}  // namespace lookalike
