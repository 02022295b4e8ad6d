#include "options/settings.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/options_table.h"
#include "options/refusals.h"
#include "stages/normalize/normalizer.h"

namespace lookalike {
namespace {

struct NamedSetting {
  Setting setting;
  std::string_view name;
};

constexpr NamedSetting kMeasures[] = {{Setting::kResemblance, "resemblance"},
                                      {Setting::kContainment, "containment"},
                                      {Setting::kPoints, "distances of points"},
                                      {Setting::kStrings, "distances of strings"}};

constexpr NamedSetting kUnits[] = {
    {Setting::kWords, "words"},           {Setting::kCode, "code"},
    {Setting::kCharacters, "characters"}, {Setting::kUrls, "URLs"},
    {Setting::kNumbers, "numbers"},       {Setting::kItems, "items"}};

constexpr NamedSetting kMethods[] = {{Setting::kBands, "band keys"},
                                     {Setting::kExactJoin, "the exact join"},
                                     {Setting::kShingleMerge, "shingle merging"}};

using Group = std::span<const NamedSetting>;

bool Has(uint32_t bits, Setting setting) { return (bits & static_cast<uint32_t>(setting)) != 0; }

/// Returns the names of the members of a group that are among the bits, as "a, b and c"; empty if
/// all members are.
std::string NamesIn(Group group, uint32_t bits) {
  std::vector<std::string_view> names;
  for (const NamedSetting& named : group) {
    if (Has(bits, named.setting)) names.push_back(named.name);
  }
  if (names.size() == group.size()) return {};
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    list += names[i];
  }
  return list;
}

/// One setting of a run: its group, and the option that made it.
struct MadeSetting {
  Setting setting;
  Group group;
  OptionMember by;
};

Setting MeasureOf(const Choices& choices) {
  if (choices.distance)
    return IsOfStrings(*choices.distance) ? Setting::kStrings : Setting::kPoints;
  return choices.measures_containment() ? Setting::kContainment : Setting::kResemblance;
}

Setting UnitOf(const ShingleSpec& shingle) {
  switch (shingle.kind) {
    case ShingleSpec::Kind::kWord:
    case ShingleSpec::Kind::kStopWord:
      return Setting::kWords;
    case ShingleSpec::Kind::kCode:
      return Setting::kCode;
    case ShingleSpec::Kind::kChar:
    case ShingleSpec::Kind::kByte:
    case ShingleSpec::Kind::kWinnow:
      return Setting::kCharacters;
    case ShingleSpec::Kind::kUrl:
      return Setting::kUrls;
    case ShingleSpec::Kind::kItem:
      return Setting::kItems;
    case ShingleSpec::Kind::kPoint:
    case ShingleSpec::Kind::kCells:
    case ShingleSpec::Kind::kSeries:
      break;
  }
  return Setting::kNumbers;
}

Setting MethodOf(const MethodOption& method) {
  if (method.has_keys()) return Setting::kBands;
  return method.merges() ? Setting::kShingleMerge : Setting::kExactJoin;
}

/// Returns the settings of a run. A run that compares by distance has no shingles and no band keys.
std::vector<MadeSetting> SettingsOf(const Choices& choices, const ShingleSpec& shingle) {
  const OptionMember by =
      choices.distance ? OptionMember(&Options::distance) : OptionMember(&Options::measure);
  std::vector<MadeSetting> made = {{MeasureOf(choices), kMeasures, by}};
  if (choices.distance) return made;
  made.push_back({UnitOf(shingle), kUnits, &Options::shingle});
  made.push_back({MethodOf(choices.method), kMethods, &Options::method});
  return made;
}

bool AsksForNothing(const OptionRow& row, const Options& options) {
  const std::string text = OptionText(row, options);
  // This is the only option whose default has several spellings.
  if (row.member == OptionMember(&Options::normalize)) {
    const auto form = ParseNormalForm(text);
    return form && *form == NormalForm{};
  }
  return text == "off" || text == OptionText(row, Options());
}

tl::unexpected<Error> DoesNotApply(const OptionRow& row, const MadeSetting& made,
                                   const Options& options) {
  const OptionRow& maker = RowOf(made.by);
  const std::string value = OptionText(maker, options);
  const std::string to = NamesIn(made.group, row.applies);
  const std::string given = row.IsSwitch()
                                ? fmt::format("$<{}>", row.name)
                                : fmt::format("$<{}='{}'>", row.name, OptionText(row, options));
  if (value == OptionText(maker, Options())) {
    const bool distances = made.group.data() == kMeasures;
    return OptionError(fmt::format("{} only applies to {}; set $<{}>, or leave it out", given, to,
                                   distances ? "distance" : maker.name));
  }
  return OptionError(
      fmt::format("{} cannot be combined with $<{}={}>: it only applies to {}; leave it out", given,
                  maker.name, value, to));
}

}  // namespace

Status CheckApplies(const Options& options, const Choices& choices, const ShingleSpec& shingle) {
  for (const MadeSetting& made : SettingsOf(choices, shingle)) {
    for (const OptionRow& row : OptionTable()) {
      if (Has(row.applies, made.setting) || AsksForNothing(row, options)) continue;
      return DoesNotApply(row, made, options);
    }
  }
  return {};
}

std::string AppliesTo(const OptionRow& row) {
  std::string text;
  for (const Group group : {Group(kMeasures), Group(kUnits), Group(kMethods)}) {
    const std::string names = NamesIn(group, row.applies);
    if (!names.empty()) text += (text.empty() ? "" : "; ") + names;
  }
  return text;
}

}  // namespace lookalike
