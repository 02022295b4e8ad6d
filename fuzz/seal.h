// Checksums of formats that end in one, so that a fuzz target meets what is behind them too.
#ifndef LOOKALIKE_FUZZ_SEAL_H_
#define LOOKALIKE_FUZZ_SEAL_H_

#include <cstddef>
#include <string>

namespace lookalike::fuzz {

/// Seals so many bytes from `begin` on: the last eight become the checksum of the others, XXH3 of
/// 64 bits. REQUIRES: they are there, eight at the least.
void Seal(size_t begin, size_t size, std::string* bytes);

/// The bytes sealed as a whole; as they are where there are fewer than eight.
std::string Sealed(std::string bytes);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_SEAL_H_
