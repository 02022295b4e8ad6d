// Rejects records whose text is not of the form that a run asks for. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_
#define LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "stages/input/reader.h"

namespace lookalike {

/// A reader of what another one reads, where documents that `refusal` gives a reason against are
/// rejections with that reason.
std::unique_ptr<InputReader> RefuseTexts(std::unique_ptr<InputReader> reader,
                                         std::function<std::string(std::string_view)> refusal);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_REFUSING_READER_H_
