// What must hold whatever the bytes are.
#ifndef LOOKALIKE_FUZZ_LAWS_H_
#define LOOKALIKE_FUZZ_LAWS_H_

#include "input/read_records.h"

namespace lookalike::fuzz {

/// Ends the program with a message where `holds` is false.
void Require(bool holds, const char* law);

/// Rows ascend, and are told by the positions.
void RequireRowsAscend(const testing::ReadResult& result);

/// What is left from some of the positions is what was read behind them.
void RequireSameFromPositions(ReaderSetup setup, const testing::ReadResult& whole);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_LAWS_H_
