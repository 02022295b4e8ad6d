// Standard input as it arrives: records of JSON Lines, each as soon as its line is there.
#ifndef LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_
#define LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_

#include <memory>

#include "flow/input_file.h"
#include "stages/input/reader.h"

namespace lookalike {

/// Reads standard input, plain JSON Lines in UTF-8, without waiting for more than there is: a batch
/// has the lines that one read of the system brought to their end, or none where none came for a
/// while. Nothing is kept of it. Errors: it cannot be read, or is compressed.
std::unique_ptr<InputReader> OpenLiveLines(const FieldPaths& fields, const ReadLimits& limits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_LIVE_LINES_H_
