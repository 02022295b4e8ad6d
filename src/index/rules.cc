#include "index/rules.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "index/tables.h"

namespace lookalike {
namespace {

/// In stored options: the name of a table of the index follows (tables.h).
const std::string kTablePrefix = "table:";

constexpr std::array<std::pair<Kept, std::string_view>, 3> kKeptNames = {
    {{Kept::kNone, "none"}, {Kept::kFeatures, "features"}, {Kept::kText, "text"}}};

Status CheckSupported(const IndexSettings& settings) {
  const Options& options = settings.options;
  if (MeasureOf(options) == Measure::kContainment && settings.kept == Kept::kNone) {
    return UsageError(
        "an index of containment keeps the features of documents, since their codes do not say "
        "what they contain; leave out $<keep=none>");
  }
  if (!options.not_same.empty()) {
    return OptionError(
        "$<not-same> does not work with an index, in which copies are one document: with it, "
        "copies need not be alike; use $(dedup) or $(pairs)");
  }
  if (options.distance != "off") {
    return OptionError("an index holds documents, not points; leave out $<distance>");
  }
  return {};
}

/// `one_in`: the samples of an index of containment that was made before; 0: a new one.
Result<IndexKeys> PlanKeys(const Options& options, const Engine& engine, uint64_t one_in) {
  const double threshold = options.threshold, recall = options.recall;
  if (MeasureOf(options) == Measure::kContainment) {
    return IndexKeys(one_in == 0 ? ContainedKeys(threshold, recall, options.LeastFeatures())
                                 : ContainedKeys::WithSamples(threshold, recall, one_in),
                     threshold);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const BandDesign bands,
                             PlanBands(options.threshold, options.recall, engine.code_bytes()));
  return IndexKeys(bands, options.threshold);
}

/// Returns the engine that makes features and codes. Its own keys are not used, so that it need not
/// know of containment.
Result<Engine> MakeEngine(Options options) {
  options.differ.clear();  // the index applies guards to what the engine makes
  options.same.clear();
  if (MeasureOf(options) == Measure::kContainment) {
    options.min_features = options.LeastFeatures();
    options.measure = Options().measure;
    options.threshold = Options().threshold;
    options.recall = Options().recall;
  }
  return Engine::Create(options);
}

}  // namespace

std::string_view NameOf(Kept kept) { return kKeptNames[static_cast<size_t>(kept)].second; }

bool IsIndexOption(const OptionRow& row) {
  return row.BelongsTo(Command::kIndex) && row.kind == OptionClass::kBehaviour &&
         (row.topic == OptionTopic::kAlike || row.topic == OptionTopic::kText);
}

void TakeIndexOptions(const Options& from, Options* options) {
  for (const OptionRow& row : OptionTable()) {
    if (!IsIndexOption(row)) continue;
    std::visit([&](const auto member) { options->*member = from.*member; }, row.member);
  }
}

Measure MeasureOf(const Options& options) {
  return options.measure == "containment" ? Measure::kContainment : Measure::kResemblance;
}

Result<IndexRules> MakeRules(const IndexSettings& settings, uint64_t one_in) {
  LOOKALIKE_RETURN_IF_ERROR(CheckSupported(settings));
  Options own;
  TakeIndexOptions(settings.options, &own);
  own.threads = 1;  // a document at a time; callers have threads of their own
  LOOKALIKE_RETURN_IF_ERROR(own.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(IndexGuards guards, IndexGuards::Read(own));
  LOOKALIKE_ASSIGN_OR_RETURN(Engine engine, MakeEngine(own));
  LOOKALIKE_ASSIGN_OR_RETURN(IndexKeys keys, PlanKeys(own, engine, one_in));
  return IndexRules{{own, settings.kept, settings.clusters},
                    std::move(engine),
                    std::move(keys),
                    std::move(guards)};
}

std::string EncodeSettings(const IndexRules& rules) {
  nlohmann::ordered_json json;
  json["keep"] = NameOf(rules.settings.kept);
  json["clusters"] = rules.settings.clusters;
  json["keys"] = rules.keys.bands().keys;
  json["codes"] = rules.keys.bands().codes;
  if (const auto& contained = rules.keys.contained()) json["one_in"] = contained->one_in();
  nlohmann::ordered_json& options = json["options"] = nlohmann::ordered_json::object();
  for (const OptionRow& row : OptionTable()) {
    if (!IsIndexOption(row)) continue;
    if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&row.member)) {
      const auto& values = rules.settings.options.**list;
      if (!values.empty()) options[std::string(row.name)] = values;
      continue;
    }
    std::string text = OptionText(row, rules.settings.options);
    if (NamesTable(row, rules.settings.options)) {
      text = kTablePrefix + std::filesystem::path(text).filename().string();
    }
    if (!text.empty()) options[std::string(row.name)] = text;
  }
  return json.dump();
}

Result<IndexRules> DecodeSettings(std::string_view text, const std::filesystem::path& folder) {
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
    if (value == json["options"].end()) continue;
    if (row.IsList() && value->is_array()) {
      for (const auto& one : *value) {
        if (!one.is_string()) return CorruptError("its settings cannot be read");
        LOOKALIKE_RETURN_IF_ERROR(SetOption(row, one.get<std::string>(), &settings.options));
      }
    }
    if (!value->is_string()) continue;
    std::string known = value->get<std::string>();
    if (known.starts_with(kTablePrefix)) {
      const std::filesystem::path name = known.substr(kTablePrefix.size());
      known = PlaceOfTable(std::filesystem::absolute(folder), name.filename()).string();
    }
    LOOKALIKE_RETURN_IF_ERROR(SetOption(row, known, &settings.options));
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
  LOOKALIKE_RETURN_IF_ERROR(CheckTables(settings.options));
  const uint64_t samples = json.value("one_in", uint64_t{0});
  LOOKALIKE_ASSIGN_OR_RETURN(IndexRules rules, MakeRules(settings, samples));
  const BandDesign bands = rules.keys.bands();
  const uint64_t one_in = rules.keys.contained() ? rules.keys.contained()->one_in() : 0;
  if (json.value("keys", 0U) != bands.keys || json.value("codes", 0U) != bands.codes ||
      samples != one_in) {
    return CorruptError("its settings ask for other keys than this version makes");
  }
  return rules;
}

}  // namespace lookalike
