#include "lookalike/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/messages.h"
#include "lookalike/option_words.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
// An assertion of the library, or with NDEBUG an assumption that it passes to the compiler, does
// not hold for text such as "[$", although the library does report that as an error.
#define TOML_ASSERT(expression) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace lookalike {
namespace {

constexpr std::string_view kPresetKey = "preset";

const OptionRow* FindOption(std::string_view name) {
  for (const OptionRow& row : OptionTable()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const CommandRow* FindCommand(std::string_view name) {
  for (const CommandRow& row : CommandTable()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const Preset* FindPreset(std::string_view name) {
  for (const Preset& preset : Presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::string PresetNames() {
  std::string names;
  for (const Preset& preset : Presets()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  }
  return names;
}

std::string_view NameOf(toml::node_type type) {
  switch (type) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a point";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

/// True if an option takes values of a type; lists are taken apart before.
bool Takes(const OptionRow& row, toml::node_type type) {
  const bool is_string = type == toml::node_type::string;
  const bool is_integer = type == toml::node_type::integer;
  if (row.IsSwitch()) return type == toml::node_type::boolean;
  if (std::holds_alternative<double Options::*>(row.member)) {
    return is_integer || type == toml::node_type::floating_point;
  }
  if (std::holds_alternative<uint64_t Options::*>(row.member)) {
    const bool has_texts = row.notation == Notation::kSize || row.notation == Notation::kOrLimit;
    return is_integer || (is_string && has_texts);
  }
  return is_string;
}

/// Returns a value in the form that SetOption takes; nothing if it has no such form.
std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  return std::nullopt;
}

/// One configuration file, parsed.
class Configuration {
 public:
  Configuration(const toml::table& root, std::string_view where) : root_(root), where_(where) {}

  /// Returns the preset that it names for this command, or null.
  [[nodiscard]] Result<const Preset*> FindPresetFor(Command command) const {
    const toml::node* node = root_.get(kPresetKey);
    for (const auto& [key, table] : root_) {
      const CommandRow* const row = FindCommand(key.str());
      if (row == nullptr || row->command != command || !table.is_table()) continue;
      if (const toml::node* own = table.as_table()->get(kPresetKey)) node = own;
    }
    if (node == nullptr) return nullptr;
    const auto* const name = node->as_string();
    const Preset* const preset = name == nullptr ? nullptr : FindPreset(name->get());
    if (preset != nullptr) return preset;
    return FailAt(node->source(),
                  fmt::format("there is no preset {}; see $(options presets)",
                              name == nullptr ? NameOf(node->type()) : "'" + name->get() + "'"));
  }

  /// Applies its settings for the command, and checks those for others.
  [[nodiscard]] Status Apply(Command command, Options* options) const {
    for (const auto& [key, node] : root_) {
      if (FindCommand(key.str()) != nullptr && node.is_table()) continue;
      LOOKALIKE_RETURN_IF_ERROR(ApplyKey(key, node, nullptr, command, options));
    }
    for (const auto& [key, node] : root_) {
      const CommandRow* const row = FindCommand(key.str());
      if (row == nullptr || !node.is_table()) continue;
      for (const auto& [inner_key, inner] : *node.as_table()) {
        LOOKALIKE_RETURN_IF_ERROR(ApplyKey(inner_key, inner, row, command, options));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] tl::unexpected<Error> FailAt(const toml::source_region& source,
                                             std::string what) const {
    return OptionError(std::move(what), fmt::format("{}:{}", where_, source.begin.line));
  }

  [[nodiscard]] tl::unexpected<Error> UnknownKey(const toml::key& key,
                                                 const toml::node& node) const {
    std::string dashed(key.str());
    for (char& c : dashed) c = c == '_' ? '-' : c;
    std::string hint;
    if (FindOption(dashed) != nullptr) hint = fmt::format("did you mean {}? ", dashed);
    const OptionWord* const word = FindOptionWord(dashed);
    if (word != nullptr && FindOption(word->option) != nullptr) {
      hint = fmt::format("{} (in a file the key is {}); ", word->advice, word->option);
    }
    return FailAt(key.source(),
                  fmt::format("there is no {} '{}'; {}docs/options.md lists all",
                              node.is_table() ? "command" : "option", key.str(), hint));
  }

  /// Applies one key. `table` is the command whose table holds the key; null at the top.
  [[nodiscard]] Status ApplyKey(const toml::key& key, const toml::node& node,
                                const CommandRow* table, Command command, Options* options) const {
    if (key.str() == kPresetKey) return {};
    const OptionRow* const row = FindOption(key.str());
    if (row == nullptr) return UnknownKey(key, node);
    if (table != nullptr && !row->BelongsTo(table->command)) {
      return FailAt(key.source(), fmt::format("{} has no option '{}'; take it out of [{}]",
                                              table->name, row->name, table->name));
    }
    Options alone;
    LOOKALIKE_RETURN_IF_ERROR(SetFrom(*row, node, &alone));
    if (Status valid = alone.Validate(); !valid) return FailAt(node.source(), valid.error().what);
    const bool meant = table == nullptr ? row->BelongsTo(command) : table->command == command;
    if (!meant) return {};
    std::visit([&](auto member) { options->*member = alone.*member; }, row->member);
    return {};
  }

  [[nodiscard]] Status SetFrom(const OptionRow& row, const toml::node& node,
                               Options* options) const {
    const toml::array* const values = row.IsList() ? node.as_array() : nullptr;
    if (values == nullptr) return SetOne(row, node, options);
    for (const toml::node& value : *values) {
      LOOKALIKE_RETURN_IF_ERROR(SetOne(row, value, options));
    }
    return {};
  }

  [[nodiscard]] Status SetOne(const OptionRow& row, const toml::node& node,
                              Options* options) const {
    if (!Takes(row, node.type())) {
      return FailAt(node.source(),
                    fmt::format("{} is {} here; use {}", row.name, NameOf(node.type()), row.takes));
    }
    Status set = SetOption(row, TextOf(node).value_or(""), options);
    if (set) return set;
    return FailAt(node.source(), std::move(set).error().what);
  }

  const toml::table& root_;
  std::string_view where_;
};

Result<toml::table> Parse(std::string_view text, std::string_view where) {
  toml::parse_result parsed = toml::parse(text);
  if (parsed) return std::move(parsed).table();
  const toml::parse_error& error = parsed.error();
  return OptionError(fmt::format("is not TOML: {}", error.description()),
                     fmt::format("{}:{}", where, error.source().begin.line));
}

Status ApplyPreset(const Preset& preset, Command command, Options* options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const toml::table root, Parse(preset.text, preset.name));
  return Configuration(root, preset.name).Apply(command, options);
}

}  // namespace

Result<Options> ResolveOptions(Command command, std::string_view preset, std::string_view text,
                               std::string_view where) {
  LOOKALIKE_ASSIGN_OR_RETURN(const toml::table root, Parse(text, where));
  const Configuration configuration(root, where);
  LOOKALIKE_ASSIGN_OR_RETURN(const Preset* chosen, configuration.FindPresetFor(command));
  if (!preset.empty()) {
    chosen = FindPreset(preset);
    if (chosen == nullptr) {
      return OptionError(fmt::format("there is no preset '{}'; use {}", preset, PresetNames()));
    }
  }
  Options options;
  if (chosen != nullptr) LOOKALIKE_RETURN_IF_ERROR(ApplyPreset(*chosen, command, &options));
  LOOKALIKE_RETURN_IF_ERROR(configuration.Apply(command, &options));
  return options;
}

Status ValidateLoaded(const Options& options, const Options& loaded, std::string_view preset,
                      std::string_view file) {
  Status status = options.Validate();
  if (status || (preset.empty() && file.empty())) return status;
  Error error = std::move(status).error();
  std::vector<std::string> names;
  const std::vector<std::string> marked = MarkedOptions(error.what);
  for (const OptionRow& row : OptionTable()) {
    const std::string text = OptionText(row, options);
    const bool is_loaded = text == OptionText(row, loaded) && text != OptionText(row, Options());
    const bool is_named = std::find(marked.begin(), marked.end(), row.name) != marked.end();
    if (is_loaded && is_named) names.push_back(fmt::format("$<{}>", row.name));
  }
  if (names.empty()) return tl::make_unexpected(std::move(error));
  const std::string source =
      file.empty() ? fmt::format("$<preset='{}'>", preset) : fmt::format("$<config='{}'>", file);
  error.what += fmt::format(" ({} {} from {})", fmt::join(names, ", "),
                            names.size() == 1 ? "comes" : "come", source);
  return tl::make_unexpected(std::move(error));
}

}  // namespace lookalike
