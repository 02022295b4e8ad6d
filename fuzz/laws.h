// Properties that must hold for any bytes.
#ifndef LOOKALIKE_FUZZ_LAWS_H_
#define LOOKALIKE_FUZZ_LAWS_H_

#include <cstdint>
#include <vector>

#include "input/read_records.h"

namespace lookalike::fuzz {

/// Ends the program with a message unless `holds` is true.
void Require(bool holds, const char* law);

/// Requires that rows ascend and match the positions.
void RequireRowsAscend(const testing::ReadResult& result);

/// Requires that reading again from some of the positions gives the records that followed them.
void RequireSameFromPositions(ReaderSetup setup, const testing::ReadResult& whole);

/// Requires that parts cut at `places`, each read by a reader of its own, give the records of
/// `whole` once and in order.
void RequireSameInParts(const ReaderSetup& setup, const std::vector<uint64_t>& places,
                        const testing::ReadResult& whole);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_LAWS_H_
