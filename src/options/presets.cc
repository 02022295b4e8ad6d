#include <array>

#include "lookalike/configuration.h"

// The files of src/options/presets, embedded by CMakeLists.txt.
extern "C" {
extern const char kWebPresetBegin[], kWebPresetEnd[];
extern const char kNewsPresetBegin[], kNewsPresetEnd[];
extern const char kCorpusPresetBegin[], kCorpusPresetEnd[];
extern const char kPlagiarismPresetBegin[], kPlagiarismPresetEnd[];
extern const char kMirrorsPresetBegin[], kMirrorsPresetEnd[];
extern const char kCodePresetBegin[], kCodePresetEnd[];
extern const char kBasketsPresetBegin[], kBasketsPresetEnd[];
extern const char kUrlsPresetBegin[], kUrlsPresetEnd[];
extern const char kCrumbsPresetBegin[], kCrumbsPresetEnd[];
extern const char kPixelsPresetBegin[], kPixelsPresetEnd[];
extern const char kQuestionsPresetBegin[], kQuestionsPresetEnd[];
extern const char kRecordsPresetBegin[], kRecordsPresetEnd[];
extern const char kAltavista97PresetBegin[], kAltavista97PresetEnd[];
extern const char kAltavista98PresetBegin[], kAltavista98PresetEnd[];
extern const char kBingPresetBegin[], kBingPresetEnd[];
extern const char kBytes8PresetBegin[], kBytes8PresetEnd[];
extern const char kBytes8LargePresetBegin[], kBytes8LargePresetEnd[];
extern const char kMmds20x5PresetBegin[], kMmds20x5PresetEnd[];
}

namespace lookalike {
namespace {

/// Returns the preset of an embedded file, whose first line is a comment on its intended use.
Preset Embedded(std::string_view name, const char* begin, const char* end) {
  constexpr std::string_view kMark = "# ";
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  return {name, text.substr(kMark.size(), text.find('\n') - kMark.size()), text};
}

}  // namespace

std::span<const Preset> Presets() {
  static const std::array presets = {
      Embedded("web", kWebPresetBegin, kWebPresetEnd),
      Embedded("news", kNewsPresetBegin, kNewsPresetEnd),
      Embedded("corpus", kCorpusPresetBegin, kCorpusPresetEnd),
      Embedded("plagiarism", kPlagiarismPresetBegin, kPlagiarismPresetEnd),
      Embedded("mirrors", kMirrorsPresetBegin, kMirrorsPresetEnd),
      Embedded("code", kCodePresetBegin, kCodePresetEnd),
      Embedded("baskets", kBasketsPresetBegin, kBasketsPresetEnd),
      Embedded("urls", kUrlsPresetBegin, kUrlsPresetEnd),
      Embedded("crumbs", kCrumbsPresetBegin, kCrumbsPresetEnd),
      Embedded("pixels", kPixelsPresetBegin, kPixelsPresetEnd),
      Embedded("questions", kQuestionsPresetBegin, kQuestionsPresetEnd),
      Embedded("records", kRecordsPresetBegin, kRecordsPresetEnd),
      Embedded("altavista97", kAltavista97PresetBegin, kAltavista97PresetEnd),
      Embedded("altavista98", kAltavista98PresetBegin, kAltavista98PresetEnd),
      Embedded("bing", kBingPresetBegin, kBingPresetEnd),
      Embedded("bytes8", kBytes8PresetBegin, kBytes8PresetEnd),
      Embedded("bytes8large", kBytes8LargePresetBegin, kBytes8LargePresetEnd),
      Embedded("mmds20x5", kMmds20x5PresetBegin, kMmds20x5PresetEnd),
  };
  return presets;
}

}  // namespace lookalike
