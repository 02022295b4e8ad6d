#include "run/process_limits.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "run/memory_plan.h"
#include "search/search.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGiB = uint64_t{1} << 30;

/// A machine of 64 GiB whose kernel files are written by each test.
class ProcessLimitsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel_.root = ::testing::TempDir() + "lookalike_process_limits";
    fs::remove_all(kernel_.root);
    Put("/proc/meminfo", "MemFree: 1 kB\nMemTotal:       67108864 kB\n");
  }
  void TearDown() override { fs::remove_all(kernel_.root); }

  void Put(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(kernel_.root + path).parent_path());
    std::ofstream(kernel_.root + path) << text;
  }

  /// Mounts the unified hierarchy, from the group `top` on.
  void MountUnified(const std::string& top = "/") const {
    Put("/proc/self/mountinfo",
        "22 1 0:20 / /proc rw - proc proc rw\n"
        "30 25 0:26 " +
            top + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }

  /// Mounts the hierarchies of version 1, for memory and processors.
  void MountSeparate(const std::string& top = "/") const {
    Put("/proc/self/mountinfo",
        "31 25 0:27 " + top + " /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory\n" +
            "32 25 0:28 " + top +
            " /sys/fs/cgroup/cpu,cpuacct rw shared:6 master:2 - cgroup cgroup rw,cpu,cpuacct\n");
  }

  KernelFiles kernel_;
};

TEST_F(ProcessLimitsTest, WithoutGroupsAllOfTheMachine) {
  EXPECT_EQ(AvailableMemory(kernel_), 64 * kGiB);
  cpu_set_t own;
  ASSERT_EQ(sched_getaffinity(0, sizeof(own), &own), 0);
  EXPECT_EQ(AvailableThreads(kernel_), static_cast<size_t>(CPU_COUNT(&own)));
}

TEST_F(ProcessLimitsTest, TheLeastOfAllGroupsAroundTheProcess) {
  MountUnified();
  Put("/proc/self/cgroup", "0::/slice/pod/container\n");
  Put("/sys/fs/cgroup/slice/memory.max", "8589934592\n");
  Put("/sys/fs/cgroup/slice/pod/memory.max", "max\n");
  Put("/sys/fs/cgroup/slice/pod/container/memory.max", "34359738368\n");
  EXPECT_EQ(AvailableMemory(kernel_), 8 * kGiB);
  Put("/sys/fs/cgroup/slice/pod/memory.high", "4294967296\n");
  EXPECT_EQ(AvailableMemory(kernel_), 4 * kGiB);
  Put("/sys/fs/cgroup/slice/pod/container/memory.max", "2147483648\n");
  EXPECT_EQ(AvailableMemory(kernel_), 2 * kGiB);
  Put("/sys/fs/cgroup/slice/other/memory.max", "1\n");
  EXPECT_EQ(AvailableMemory(kernel_), 2 * kGiB) << "of another group";
}

TEST_F(ProcessLimitsTest, AContainerSeesItsGroupAsTheTop) {
  MountUnified();  // with a separate name space
  Put("/proc/self/cgroup", "0::/\n");
  Put("/sys/fs/cgroup/memory.max", "2147483648\n");
  Put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(AvailableMemory(kernel_), 2 * kGiB);
  EXPECT_EQ(AvailableThreads(kernel_), 1u);
  MountUnified("/docker/abc");  // and without
  Put("/proc/self/cgroup", "0::/docker/abc\n");
  EXPECT_EQ(AvailableMemory(kernel_), 2 * kGiB);
  Put("/proc/self/cgroup", "0::/docker/abc/inner\n");
  Put("/sys/fs/cgroup/inner/memory.max", "1073741824\n");
  EXPECT_EQ(AvailableMemory(kernel_), kGiB);
  Put("/proc/self/cgroup", "0::/docker/abcdef\n");
  EXPECT_EQ(AvailableMemory(kernel_), 2 * kGiB) << "not below what is mounted";
}

TEST_F(ProcessLimitsTest, GroupsOfVersionOne) {
  MountSeparate();
  Put("/proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n1:name=systemd:/x\n");
  Put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(AvailableMemory(kernel_), 64 * kGiB);
  Put("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "4294967296\n");
  Put("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(AvailableMemory(kernel_), 4 * kGiB);
  Put("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1\n");
  Put("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  const size_t all = AvailableThreads(kernel_);
  Put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "50000\n");
  Put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(AvailableThreads(kernel_), 1u);
  Put("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "900000000\n");
  EXPECT_EQ(AvailableThreads(kernel_), all);
}

TEST_F(ProcessLimitsTest, PartsOfAProcessorAreRoundedUp) {
  MountUnified();
  Put("/proc/self/cgroup", "0::/a\n");
  Put("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  const size_t all = AvailableThreads(kernel_);
  Put("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(AvailableThreads(kernel_), std::min<size_t>(2, all));
  Put("/sys/fs/cgroup/a/cpu.max", "1 100000\n");
  EXPECT_EQ(AvailableThreads(kernel_), 1u);
}

TEST_F(ProcessLimitsTest, WhatCannotBeUnderstoodLimitsNothing) {
  Put("/proc/self/mountinfo", "nonsense\n1 2 - \n30 25 0:26 / /sys/fs/cgroup rw - cgroup2 x rw\n");
  Put("/proc/self/cgroup", "nonsense\n0::/a\n");
  Put("/sys/fs/cgroup/a/memory.max", "plenty\n");
  Put("/sys/fs/cgroup/a/cpu.max", "\n");
  EXPECT_EQ(AvailableMemory(kernel_), 64 * kGiB);
  EXPECT_GE(AvailableThreads(kernel_), 1u);
}

TEST_F(ProcessLimitsTest, TheDefaultsAreOfWhatIsAvailable) {
  EXPECT_EQ(DefaultMemory(), std::max(AvailableMemory() / 2, uint64_t{64} << 20));
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(ThreadCount(0), 1u);
  EXPECT_EQ(ThreadCount(3), 3u) << "what was asked for";
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace lookalike
