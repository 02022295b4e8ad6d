// Reads records of JSON Lines that a program has in memory.
#ifndef LOOKALIKE_STAGES_INPUT_MEMORY_LINES_H_
#define LOOKALIKE_STAGES_INPUT_MEMORY_LINES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "records/input_file.h"
#include "stages/input/reader.h"

namespace lookalike {

/// Reads lines in one batch: line i, with the row number i + 1, is bytes offsets[i] to
/// offsets[i + 1], without a line end. Copies them. REQUIRES: the offsets ascend from 0 on and stay
/// within the bytes.
std::unique_ptr<InputReader> OpenMemoryLines(const FieldPaths& fields, const ReadLimits& limits,
                                             std::string_view bytes,
                                             std::span<const int64_t> offsets);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_MEMORY_LINES_H_
