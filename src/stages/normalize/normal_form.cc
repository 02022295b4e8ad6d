#include "stages/normalize/normal_form.h"

#include <algorithm>
#include <iterator>

namespace lookalike {
namespace {

struct StepRow {
  NormalStep step;
  std::string_view name;
};

constexpr StepRow kSteps[] = {
    {NormalStep::kNfkc, "nfkc"},
    {NormalStep::kCasefold, "casefold"},
    {NormalStep::kDiacritics, "diacritics"},
    {NormalStep::kDigits, "digits"},
    {NormalStep::kPunctuation, "punctuation"},
    {NormalStep::kWhitespace, "whitespace"},
    {NormalStep::kNoWhitespace, "no-whitespace"},
};

}  // namespace

Result<NormalForm> ParseNormalForm(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return OptionError("$<normalize='" + std::string(text) +
                       "'> is not understood: " + std::string(why) +
                       "; use none, or steps such as nfkc,casefold,diacritics,digits,punctuation,"
                       "whitespace,no-whitespace");
  };
  NormalForm form;
  form.steps = 0;
  if (text == "none") return form;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto* const row = std::find_if(std::begin(kSteps), std::end(kSteps),
                                         [&](const StepRow& known) { return known.name == name; });
    if (row == std::end(kSteps)) return wrong("there is no step '" + std::string(name) + "'");
    if (form.Has(row->step)) return wrong(std::string(name) + " is listed twice");
    form.steps |= static_cast<uint8_t>(row->step);
    begin = end + 1;
  }
  return form;
}

std::string ToString(const NormalForm& form) {
  std::string text;
  for (const auto& [step, name] : kSteps) {
    if (!form.Has(step)) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text.empty() ? "none" : text;
}

}  // namespace lookalike
