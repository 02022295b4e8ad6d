// Rejects records whose text does not have the form that a run requires. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_
#define LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "stages/input/reader.h"

namespace lookalike {

/// Wraps a reader so that documents for which `refusal` gives a reason become rejections with that
/// reason.
std::unique_ptr<InputReader> RefuseTexts(std::unique_ptr<InputReader> reader,
                                         std::function<std::string(std::string_view)> refusal);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_
