// Counts, sizes and times as people read them.
#ifndef LOOKALIKE_CLI_QUANTITY_H_
#define LOOKALIKE_CLI_QUANTITY_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace lookalike::cli {

/// Returns "1,234,567".
std::string Count(uint64_t n);

/// Returns "1 pair", "1,234 pairs": the name gets an s unless n is 1.
std::string Count(uint64_t n, std::string_view name);

/// Returns "510.3 MB" (powers of 1000).
std::string Bytes(double bytes);

/// Returns "0.42 s", "12 s", "3 min 05 s", "2 h 10 min".
std::string Duration(double seconds);

/// Returns "38.3 %"; 0 % if `whole` is 0.
std::string Percent(uint64_t part, uint64_t whole);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_QUANTITY_H_
