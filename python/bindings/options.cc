#include "lookalike/index.h"
#include "lookalike/options.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "keyword_words.h"
#include "lookalike/configuration.h"
#include "lookalike/options_table.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

const CommandRow& FindCommand(std::string_view name) {
  const auto rows = CommandTable();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const CommandRow& row) { return row.name == name; });
  if (found == rows.end()) throw nb::value_error("no such command");
  return *found;
}

const OptionRow& FindOption(std::string_view name) {
  const auto rows = OptionTable();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const OptionRow& row) { return row.name == name; });
  if (found == rows.end()) throw nb::value_error("no such option");
  return *found;
}

const char* TypeName(const OptionRow& row) {
  struct Name {
    const char* operator()(bool Options::* /*member*/) { return "bool"; }
    const char* operator()(uint64_t Options::* /*member*/) { return "int"; }
    const char* operator()(double Options::* /*member*/) { return "float"; }
    const char* operator()(Threshold Options::* /*member*/) { return "threshold"; }
    const char* operator()(std::string Options::* /*member*/) { return "str"; }
    const char* operator()(std::vector<std::string> Options::* /*member*/) { return "list"; }
  };
  return std::visit(Name(), row.member);
}

/// True if an option is a keyword in Python; the others are function parameters there, or useless.
bool IsKeyword(const OptionRow& row) {
  constexpr std::array<std::string_view, 6> kOthers = {"text-field", "id-field", "json",
                                                       "quiet",      "against",  "rows"};
  return std::find(kOthers.begin(), kOthers.end(), row.name) == kOthers.end();
}

nb::list OptionRows(std::string_view command) {
  const Command wanted = FindCommand(command).command;
  nb::list rows;
  for (const OptionRow& row : OptionTable()) {
    if (!row.BelongsTo(wanted)) continue;
    nb::dict entry;
    entry["name"] = row.name;
    entry["type"] = TypeName(row);
    entry["is_size"] = row.notation == Notation::kSize;
    entry["or_unlimited"] = row.notation == Notation::kOrLimit;
    entry["is_keyword"] = IsKeyword(row);
    entry["is_of_index"] = IsIndexOption(row);
    entry["default"] = DefaultText(row);
    entry["has_fixed_default"] = row.default_meaning.empty();
    entry["takes"] = row.takes;
    entry["help"] = row.help;
    rows.append(entry);
  }
  return rows;
}

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const Preset& preset : Presets()) names.emplace_back(preset.name);
  return names;
}

Options MakeOptions(std::string_view command, std::string_view preset, const std::string& config,
                    const nb::dict& given) {
  const Options loaded = UnwrapOption(LoadOptions(FindCommand(command).command, preset, config));
  Options options = loaded;
  for (const auto& [name, texts] : given) {
    const OptionRow& row = FindOption(nb::cast<std::string>(name));
    ResetOption(row, &options);
    for (const std::string& text : nb::cast<std::vector<std::string>>(texts)) {
      UnwrapOption(SetOption(row, text, &options));
    }
  }
  UnwrapOption(ValidateLoaded(options, loaded, preset, config));
  return options;
}

nb::dict Texts(const Options& options) {
  nb::dict texts;
  for (const OptionRow& row : OptionTable()) {
    texts[nb::str(row.name.data(), row.name.size())] = OptionText(row, options);
  }
  return texts;
}

}  // namespace

void BindOptions(nb::module_& module) {
  nb::class_<Options>(module, "Options", "Checked options of one command.")
      .def("texts", &Texts, "Every option's name and its value as the command takes it.");
  module.def("option_rows", &OptionRows, nb::arg("command"),
             "The rows of the options table that a command has.");
  module.def("in_keywords", &InKeywords, nb::arg("message"),
             "The message with keywords for the marks of options.");
  module.def("preset_names", &PresetNames, "The names of the presets, in the order of help.");
  module.def("make_options", &MakeOptions, nb::arg("command"), nb::arg("preset"), nb::arg("config"),
             nb::arg("given"),
             "Defaults, changed by a preset, by a configuration file, and by `given`: a list of "
             "texts for each name. Raises OptionError.");
}

}  // namespace lookalike::python
