// The instruction set that the kernels run on. Results are bit-identical on all of them.
#ifndef LOOKALIKE_KERNELS_ISA_H_
#define LOOKALIKE_KERNELS_ISA_H_

#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// Restricts every kernel to one instruction set ("scalar", "ssse3", "sse4", "avx2", "avx512");
/// empty: the best that this machine has. Process-wide; REQUIRES: no kernel is running. An unknown
/// name, or one that this machine or build lacks, is an Error that lists the available names.
Status SelectIsa(std::string_view name);

/// Returns the name of the instruction set that kernels run on now.
std::string_view ActiveIsaName();

/// Returns the names that SelectIsa accepts on this machine, best first.
std::string AvailableIsaNames();

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_ISA_H_
