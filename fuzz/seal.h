// Checksums of formats that end in one, so that a fuzz target reaches the code after their check.
#ifndef LOOKALIKE_FUZZ_SEAL_H_
#define LOOKALIKE_FUZZ_SEAL_H_

#include <cstddef>
#include <string>

namespace lookalike::fuzz {

/// Seals `size` bytes from `begin` on: the last eight become the checksum of the others, XXH3 of 64
/// bits. REQUIRES: these bytes exist, at least eight.
void Seal(size_t begin, size_t size, std::string* bytes);

/// Returns the bytes sealed as a whole; unchanged if there are fewer than eight.
std::string Sealed(std::string bytes);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_SEAL_H_
