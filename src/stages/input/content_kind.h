// Recognizes files without text by their first bytes.
#ifndef LOOKALIKE_STAGES_INPUT_CONTENT_KIND_H_
#define LOOKALIKE_STAGES_INPUT_CONTENT_KIND_H_

#include <string>
#include <string_view>

#include "records/input_file.h"

namespace lookalike {

/// Returns why the file that begins with the plain bytes `front` cannot be read as `format`, and
/// what to do about it; empty if it can. Archives and pictures are recognized by their magic
/// numbers whatever the format; for text formats, also data that is binary or mostly not UTF-8.
/// `path` is for the advice.
std::string WhyNoText(std::string_view front, Format format, std::string_view path);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_CONTENT_KIND_H_
