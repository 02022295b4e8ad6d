#include "index/rules.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace lookalike {
namespace {

constexpr std::array<std::pair<Kept, std::string_view>, 3> kKeptNames = {
    {{Kept::kNone, "none"}, {Kept::kFeatures, "features"}, {Kept::kText, "text"}}};

Status CheckSupported(const Options& options) {
  if (options.measure != "resemblance") {
    return OptionError("an index has no $<measure=containment>; leave it out");
  }
  if (options.distance != "off") {
    return OptionError("an index holds documents, not points; leave out $<distance>");
  }
  if (options.weights != "off") return OptionError("an index has no $<weights>; leave it out");
  return {};
}

}  // namespace

std::string_view NameOf(Kept kept) { return kKeptNames[static_cast<size_t>(kept)].second; }

bool IsIndexOption(const OptionRow& row) {
  return row.BelongsTo(Command::kIndex) && row.kind == OptionClass::kBehaviour && !row.IsList() &&
         (row.topic == OptionTopic::kAlike || row.topic == OptionTopic::kText);
}

void TakeIndexOptions(const Options& from, Options* options) {
  for (const OptionRow& row : OptionTable()) {
    if (!IsIndexOption(row)) continue;
    std::visit([&](const auto member) { options->*member = from.*member; }, row.member);
  }
}

Result<IndexRules> MakeRules(const IndexSettings& settings) {
  LOOKALIKE_RETURN_IF_ERROR(CheckSupported(settings.options));
  Options own;
  TakeIndexOptions(settings.options, &own);
  own.threads = 1;  // a document at a time; callers have threads of their own
  LOOKALIKE_ASSIGN_OR_RETURN(Engine engine, Engine::Create(own));
  LOOKALIKE_ASSIGN_OR_RETURN(const BandDesign bands,
                             PlanBands(own.threshold, own.recall, engine.code_bytes()));
  return IndexRules{
      {own, settings.kept, settings.clusters}, std::move(engine), IndexKeys(bands, own.threshold)};
}

std::string EncodeSettings(const IndexRules& rules) {
  nlohmann::ordered_json json;
  json["keep"] = NameOf(rules.settings.kept);
  json["clusters"] = rules.settings.clusters;
  json["keys"] = rules.keys.bands().keys;
  json["codes"] = rules.keys.bands().codes;
  nlohmann::ordered_json& options = json["options"] = nlohmann::ordered_json::object();
  for (const OptionRow& row : OptionTable()) {
    const std::string text = OptionText(row, rules.settings.options);
    if (IsIndexOption(row) && !text.empty()) options[std::string(row.name)] = text;
  }
  return json.dump();
}

Result<IndexRules> DecodeSettings(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto is = [&](const char* name, auto test) {
    return json.contains(name) && (json[name].*test)();
  };
  using Json = nlohmann::json;
  const bool known_form = json.is_object() && is("options", &Json::is_object) &&
                          is("keep", &Json::is_string) && is("clusters", &Json::is_boolean) &&
                          is("keys", &Json::is_number_unsigned) &&
                          is("codes", &Json::is_number_unsigned);
  if (!known_form) return CorruptError("its settings cannot be read");
  IndexSettings settings;
  for (const OptionRow& row : OptionTable()) {
    const auto value = json["options"].find(std::string(row.name));
    if (value == json["options"].end() || !value->is_string()) continue;
    LOOKALIKE_RETURN_IF_ERROR(SetOption(row, value->get<std::string>(), &settings.options));
  }
  settings.clusters = json.value("clusters", false);
  const std::string kept = json.value("keep", "");
  bool known = false;
  for (const auto& [value, name] : kKeptNames) {
    if (kept != name) continue;
    settings.kept = value;
    known = true;
  }
  if (!known) return CorruptError("its settings name nothing that is kept");
  LOOKALIKE_ASSIGN_OR_RETURN(IndexRules rules, MakeRules(settings));
  const BandDesign bands = rules.keys.bands();
  if (json.value("keys", 0U) != bands.keys || json.value("codes", 0U) != bands.codes) {
    return CorruptError("its settings ask for other keys than this version makes");
  }
  return rules;
}

}  // namespace lookalike
