// Reads standard input as it arrives: records of JSON Lines, each as soon as its line is complete.
#ifndef LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_
#define LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_

#include <memory>

#include "records/input_file.h"
#include "stages/input/reader.h"

namespace lookalike {

/// Reads standard input, plain JSON Lines in UTF-8, without waiting for more than is available: a
/// batch has the lines that one read completed, or none if none was completed for a while. Keeps
/// none of the input. Errors: the input cannot be read, or is compressed.
std::unique_ptr<InputReader> OpenLiveLines(const FieldPaths& fields, const ReadLimits& limits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_
