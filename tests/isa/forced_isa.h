// Instruction sets for tests: all that this machine has, one at a time.
#ifndef LOOKALIKE_TESTS_ISA_FORCED_ISA_H_
#define LOOKALIKE_TESTS_ISA_FORCED_ISA_H_

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "kernels/isa.h"

namespace lookalike {

/// Returns the names that SelectIsa accepts here, best first.
inline std::vector<std::string> IsaNames() {
  std::vector<std::string> names;
  std::istringstream all(AvailableIsaNames());
  for (std::string name; std::getline(all >> std::ws, name, ',');) names.push_back(name);
  return names;
}

/// A scope that forces an instruction set; afterwards the best one is chosen again.
class ForcedIsa {
 public:
  explicit ForcedIsa(const std::string& name) {
    const Status status = SelectIsa(name);
    EXPECT_TRUE(status.has_value()) << name;
    EXPECT_EQ(ActiveIsaName(), name);
  }
  ~ForcedIsa() { EXPECT_TRUE(SelectIsa("").has_value()); }
  ForcedIsa(const ForcedIsa&) = delete;
  ForcedIsa& operator=(const ForcedIsa&) = delete;
};

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_ISA_FORCED_ISA_H_
