#include <fmt/format.h>

#include "fingerprint/feature_extractor.h"
#include "kernels/isa.h"
#include "lookalike/lookalike.h"

#ifndef LOOKALIKE_VERSION
#error "the build defines LOOKALIKE_VERSION"
#endif

namespace lookalike {

std::string VersionString() {
  return fmt::format("{} (fingerprint v{}, {})", LOOKALIKE_VERSION, kFingerprintVersion,
                     ActiveIsaName());
}

Status SelectInstructionSet(std::string_view name) { return SelectIsa(name); }

}  // namespace lookalike
