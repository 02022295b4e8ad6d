#include "stages/normalize/html_mode.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace lookalike {
namespace {

constexpr std::pair<std::string_view, HtmlMode> kModes[] = {
    {"auto", HtmlMode::kAuto},
    {"off", HtmlMode::kOff},
    {"visible", HtmlMode::kVisible},
    {"altavista", HtmlMode::kAltaVista},
};

}  // namespace

Result<HtmlMode> ParseHtmlMode(std::string_view text) {
  for (const auto& [name, mode] : kModes) {
    if (name == text) return mode;
  }
  return OptionError("$<pages='" + std::string(text) +
                     "'> is not allowed; use auto, off, visible or altavista");
}

std::string_view ToString(HtmlMode mode) {
  const auto* const row = std::find_if(std::begin(kModes), std::end(kModes),
                                       [&](const auto& known) { return known.second == mode; });
  return row->first;
}

}  // namespace lookalike
