#include "uses/sketches/sketch_checks.h"

#include <fmt/format.h>

#include "fingerprint/feature_extractor.h"

namespace lookalike {

Status CheckFingerprintVersion(const StoredSketch& stored) {
  if (stored.fingerprint_version == kFingerprintVersion) return {};
  return InputError(
      fmt::format("the stored sketch has fingerprint version {}, but this program makes version "
                  "{}; make it again from the text",
                  stored.fingerprint_version, kFingerprintVersion));
}

Status CheckEqual(std::span<const Fact> facts) {
  std::string differences;
  for (const auto& [what, here, there] : facts) {
    if (here == there) continue;
    differences +=
        fmt::format("{}{} {} and {}", differences.empty() ? "" : ", ", what, here, there);
  }
  if (differences.empty()) return {};
  return InputError("these sketches cannot be compared or merged, because they differ: " +
                    differences + "; make both with the same options");
}

}  // namespace lookalike
