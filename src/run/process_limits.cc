#include "run/process_limits.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace lookalike {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

std::vector<std::string> Words(std::string_view line, char separator) {
  std::vector<std::string> words;
  while (true) {
    const size_t end = line.find(separator);
    words.emplace_back(line.substr(0, end));
    if (end == line.npos) return words;
    line.remove_prefix(end + 1);
  }
}

bool Has(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = Words(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the number that a text begins with; nothing for "max" and for negative numbers.
std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc()) return {};
  return number;
}

/// Returns the first line of a file; empty if there is none.
std::string FirstLine(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

uint64_t LimitIn(const std::string& path) { return Number(FirstLine(path)).value_or(kNoLimit); }

/// A hierarchy of control groups that limits something.
struct Hierarchy {
  bool unified = false;     ///< Version 2.
  std::string mount;        ///< Mount point of its root.
  std::string group = "/";  ///< The path of this process's group from there.
};

/// Returns the path of this process's group in the hierarchy of `controller`, or in the unified
/// hierarchy.
std::optional<std::string> GroupOf(const KernelFiles& kernel, const char* controller,
                                   bool unified) {
  std::ifstream file(kernel.root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : Has(controllers, controller))
      return line.substr(second + 1);
  }
  return {};
}

/// Returns the path of a group below the mounted group `top`. A group that is not below it is in
/// another namespace, so only the mounted group is visible.
std::string BelowMount(const std::string& group, const std::string& top) {
  if (top == "/") return group;
  const bool below =
      group.starts_with(top) && (group.size() == top.size() || group[top.size()] == '/');
  return below ? group.substr(top.size()) : "";
}

/// Returns every hierarchy that may limit `controller`, because hosts may mount both versions.
std::vector<Hierarchy> HierarchiesOf(const KernelFiles& kernel, const char* controller) {
  std::vector<Hierarchy> found;
  std::ifstream file(kernel.root + "/proc/self/mountinfo");
  // "36 35 98:0 /top /mount options ... - type source options of the hierarchy"
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == line.npos) continue;
    const std::vector<std::string> front = Words(std::string_view(line).substr(0, dash), ' ');
    const std::vector<std::string> back = Words(std::string_view(line).substr(dash + 3), ' ');
    if (front.size() < 5 || back.empty()) continue;
    const bool unified = back[0] == "cgroup2";
    if (!unified && (back[0] != "cgroup" || back.size() < 3 || !Has(back[2], controller))) continue;
    const auto group = GroupOf(kernel, controller, unified);
    if (!group) continue;
    found.push_back({unified, kernel.root + front[4], BelowMount(*group, front[3])});
  }
  return found;
}

/// Calls `look` with the folder of this process's group and of each group around it, for each
/// hierarchy.
void ForEachGroup(const KernelFiles& kernel, const char* controller,
                  const std::function<void(const std::string& folder, bool unified)>& look) {
  for (const Hierarchy& hierarchy : HierarchiesOf(kernel, controller)) {
    std::string group = hierarchy.group;
    while (true) {
      while (group.ends_with('/')) group.pop_back();
      look(hierarchy.mount + group, hierarchy.unified);
      if (group.empty()) break;
      group.resize(group.rfind('/') == group.npos ? 0 : group.rfind('/'));
    }
  }
}

uint64_t MemoryOfMachine(const KernelFiles& kernel) {
  std::ifstream file(kernel.root + "/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t kibibytes = 0;
    if (words >> name >> kibibytes && name == "MemTotal:") return kibibytes << 10;
  }
  const auto pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Returns the number of processors that this process may run on.
size_t ProcessorsAllowed() {
  constexpr size_t kMost = size_t{1} << 20;
  for (size_t count = CPU_SETSIZE; count <= kMost; count *= 2) {
    std::vector<cpu_set_t> set(count / CPU_SETSIZE);
    const size_t bytes = set.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, set.data()) == 0) {
      return static_cast<size_t>(std::max(1, CPU_COUNT_S(bytes, set.data())));
    }
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

/// Returns the number of processors whose time a group may use; infinite if there is no limit.
double ProcessorsOf(const std::string& folder, bool unified) {
  std::optional<uint64_t> quota, period;
  if (unified) {
    const std::vector<std::string> words = Words(FirstLine(folder + "/cpu.max"), ' ');
    quota = Number(words[0]);
    if (words.size() > 1) period = Number(words[1]);
  } else {
    quota = Number(FirstLine(folder + "/cpu.cfs_quota_us"));
    period = Number(FirstLine(folder + "/cpu.cfs_period_us"));
  }
  if (!quota || !period || *period == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

uint64_t AvailableMemory(const KernelFiles& kernel) {
  uint64_t least = MemoryOfMachine(kernel);
  ForEachGroup(kernel, "memory", [&](const std::string& folder, bool unified) {
    if (unified) {
      least = std::min({least, LimitIn(folder + "/memory.max"), LimitIn(folder + "/memory.high")});
    } else {
      least = std::min(least, LimitIn(folder + "/memory.limit_in_bytes"));
    }
  });
  return least;
}

size_t AvailableThreads(const KernelFiles& kernel) {
  const size_t allowed = ProcessorsAllowed();
  auto least = static_cast<double>(allowed);
  ForEachGroup(kernel, "cpu", [&](const std::string& folder, bool unified) {
    least = std::min(least, ProcessorsOf(folder, unified));
  });
  return std::clamp<size_t>(static_cast<size_t>(std::ceil(least)), 1, allowed);
}

size_t ThreadCount(uint64_t option) { return option != 0 ? option : AvailableThreads(); }

}  // namespace lookalike
