// The part of an HTML page that is compared: the values of `--pages`.
#ifndef LOOKALIKE_STAGES_NORMALIZE_HTML_MODE_H_
#define LOOKALIKE_STAGES_NORMALIZE_HTML_MODE_H_

#include <cstdint>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

enum class HtmlMode : uint8_t {
  kAuto,       ///< kVisible if the text is known to be HTML, else kOff.
  kOff,        ///< The unchanged source.
  kVisible,    ///< The text that a reader sees.
  kAltaVista,  ///< All text, and the addresses of links and images.
};

/// Parses "visible"; the Error says what is allowed.
Result<HtmlMode> ParseHtmlMode(std::string_view text);

/// Returns the text that ParseHtmlMode turns into this mode.
std::string_view ToString(HtmlMode mode);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_HTML_MODE_H_
