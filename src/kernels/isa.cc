#include "kernels/isa.h"

#include <hwy/targets.h>

#include <array>
#include <utility>

namespace lookalike {
namespace {

// Best first. AVX3 is Highway's name for AVX-512 (F, BW, DQ, VL).
constexpr std::array<std::pair<std::string_view, int64_t>, 6> kIsas = {{
    {"avx512", HWY_AVX3},
    {"avx2", HWY_AVX2},
    {"sse4", HWY_SSE4},
    {"ssse3", HWY_SSSE3},
    {"neon", HWY_NEON},
    {"scalar", HWY_SCALAR | HWY_EMU128},
}};

int64_t AllTargets() {
  hwy::SetSupportedTargetsForTest(0);
  int64_t all = 0;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) all |= target;
  return all;
}

}  // namespace

std::string AvailableIsaNames() {
  const int64_t active = hwy::SupportedTargets();
  const int64_t all = AllTargets();
  hwy::SetSupportedTargetsForTest(active);
  std::string names;
  for (const auto& [name, target] : kIsas) {
    if ((all & target) == 0) continue;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

Status SelectIsa(std::string_view name) {
  const int64_t active = hwy::SupportedTargets();
  const int64_t all = AllTargets();
  if (name.empty()) {
    hwy::GetChosenTarget().DeInit();
    return {};
  }
  for (const auto& [known, target] : kIsas) {
    if (known != name) continue;
    if ((all & target) == 0) break;
    hwy::SetSupportedTargetsForTest(all & target);
    hwy::GetChosenTarget().DeInit();  // the next call chooses again
    return {};
  }
  hwy::SetSupportedTargetsForTest(active);
  return OptionError("instruction set '" + std::string(name) +
                     "' is unknown, or this machine lacks it; available: " + AvailableIsaNames());
}

std::string_view ActiveIsaName() {
  const int64_t supported = hwy::SupportedTargets();
  for (const auto& [name, target] : kIsas) {
    if ((supported & target) != 0) return name;
  }
  return "scalar";
}

}  // namespace lookalike
