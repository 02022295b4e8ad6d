#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "help.h"
#include "lookalike/configuration.h"
#include "lookalike/options_table.h"

namespace lookalike::cli {
namespace {

/// A flag as shells see it.
struct Flag {
  enum class Takes { kNothing, kWord, kFile, kFolder, kOther };
  std::string name;  ///< With dashes.
  std::string_view value;
  std::string_view help;  ///< One sentence, without its full stop.
  uint32_t commands;
  bool repeats;
  Takes takes;
  std::vector<std::string> words;  ///< kWord: the possible values.
};

/// Returns the first sentence without its full stop.
std::string_view Purpose(std::string_view help) {
  std::string_view text = FirstSentence(help);
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

/// Returns the words of "auto, lsh or exact"; none if values are described instead of listed.
std::vector<std::string> ListedWords(std::string_view takes) {
  std::vector<std::string> words;
  while (!takes.empty()) {
    const size_t comma = takes.find(", ");
    const size_t either = takes.find(" or ");
    const size_t end = std::min({comma, either, takes.size()});
    const std::string_view word = takes.substr(0, end);
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != word.npos) return {};
    words.emplace_back(word);
    takes.remove_prefix(std::min(end + (end == comma ? 2 : 4), takes.size()));
  }
  return words.size() > 1 ? words : std::vector<std::string>{};
}

Flag::Takes TakesOf(const Flag& flag) {
  if (flag.value.empty()) return Flag::Takes::kNothing;
  if (!flag.words.empty()) return Flag::Takes::kWord;
  if (flag.value == "DIR") return Flag::Takes::kFolder;
  const bool files = flag.value == "FILE" || flag.value == "REF...";
  return files ? Flag::Takes::kFile : Flag::Takes::kOther;
}

std::vector<std::string> PresetNames() {
  std::vector<std::string> names;
  for (const Preset& preset : Presets()) names.emplace_back(preset.name);
  return names;
}

/// Returns every flag of every command, in the order of help.
std::vector<Flag> AllFlags() {
  std::vector<Flag> flags;
  for (const ArgumentRow& row : ArgumentTable()) {
    flags.push_back({std::string(row.flag), row.value, Purpose(row.help), row.commands, false,
                     Flag::Takes::kOther,
                     row.flag == "--preset" ? PresetNames() : std::vector<std::string>{}});
  }
  for (const OptionRow& row : OptionTable()) {
    flags.push_back({fmt::format("--{}", row.name), row.value, Purpose(row.help), row.commands,
                     row.IsList(), Flag::Takes::kOther, ListedWords(row.takes)});
  }
  flags.push_back({"--help",
                   "",
                   "Show the options of the command",
                   ~uint32_t{0},
                   false,
                   Flag::Takes::kNothing,
                   {}});
  for (Flag& flag : flags) flag.takes = TakesOf(flag);
  return flags;
}

bool Has(const CommandRow& command, const Flag& flag) {
  return (flag.commands & static_cast<uint32_t>(command.command)) != 0;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const CommandRow& row : CommandTable()) names.emplace_back(row.name);
  return names;
}

/// Returns `text` with a backslash before each character in `special`.
std::string Escape(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != special.npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Returns `text` quoted as one word for bash or zsh.
std::string Quote(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

/// Returns the part of the bash script for one command.
std::string BashCommand(const CommandRow& command, const std::vector<Flag>& flags) {
  std::vector<std::string> names, folders, others;
  std::string words;
  for (const Flag& flag : flags) {
    if (!Has(command, flag)) continue;
    names.push_back(flag.name);
    if (flag.takes == Flag::Takes::kWord) {
      words += fmt::format("        {}) words='{}' ;;\n", flag.name, fmt::join(flag.words, " "));
    }
    if (flag.takes == Flag::Takes::kFolder) folders.push_back(flag.name);
    if (flag.takes == Flag::Takes::kOther) others.push_back(flag.name);
  }
  std::string text = fmt::format("    {})\n      flags='{}'\n      case $prev in\n{}", command.name,
                                 fmt::join(names, " "), words);
  if (!folders.empty())
    text += fmt::format("        {}) takes=folder ;;\n", fmt::join(folders, "|"));
  if (!others.empty()) text += fmt::format("        {}) takes=other ;;\n", fmt::join(others, "|"));
  return text + "      esac ;;\n";
}

constexpr std::string_view kBashBegin =
    R"(# bash completion of lookalike; made by `lookalike options --bash`.
_lookalike() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  local commands='{}' flags='' words='' takes=''
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$commands help options --help --version" -- "$cur")
    return
  fi
  case ${{COMP_WORDS[1]}} in
    help) words=$commands ;;
    options) words='{}' ;;
)";

constexpr std::string_view kBashEnd = R"(  esac
  if [[ $takes == folder ]]; then
    compopt +o default -o dirnames 2>/dev/null
  elif [[ $takes == other ]]; then
    compopt +o default 2>/dev/null
  elif [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$cur")
  fi
}
complete -o default -F _lookalike lookalike
)";

/// Returns the action of zsh's _arguments for the value of a flag.
std::string ZshAction(const Flag& flag) {
  switch (flag.takes) {
    case Flag::Takes::kNothing:
      return "";
    case Flag::Takes::kWord:
      return fmt::format(":{}:({})", flag.value, fmt::join(flag.words, " "));
    case Flag::Takes::kFile:
      return fmt::format(":{}:_files", flag.value);
    case Flag::Takes::kFolder:
      return fmt::format(":{}:_files -/", flag.value);
    case Flag::Takes::kOther:
      return fmt::format(":{}: ", Escape(flag.value, ":"));
  }
  return "";
}

std::string ZshCommand(const CommandRow& command, const std::vector<Flag>& flags) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.name);
  for (const Flag& flag : flags) {
    if (!Has(command, flag)) continue;
    const bool joins = flag.takes != Flag::Takes::kNothing && flag.name.starts_with("--");
    const std::string spec =
        fmt::format("{}{}{}[{}]{}", flag.repeats ? "*" : "", flag.name, joins ? "=" : "",
                    Escape(flag.help, "[]\\"), ZshAction(flag));
    text += fmt::format("        {} \\\n", Quote(spec));
  }
  return text + "        '*:input:_files' ;;\n";
}

std::string FishFlag(const Flag& flag) {
  std::vector<std::string> commands;
  for (const CommandRow& row : CommandTable()) {
    if (Has(row, flag)) commands.emplace_back(row.name);
  }
  std::string text =
      fmt::format("complete -c lookalike -n '__fish_seen_subcommand_from {}' {} {}",
                  fmt::join(commands, " "), flag.name.starts_with("--") ? "-l" : "-s",
                  flag.name.substr(flag.name.find_first_not_of('-')));
  if (flag.takes == Flag::Takes::kWord) {
    text += fmt::format(" -x -a '{}'", fmt::join(flag.words, " "));
  } else if (flag.takes == Flag::Takes::kFile) {
    text += " -r -F";
  } else if (flag.takes == Flag::Takes::kFolder) {
    text += " -x -a '(__fish_complete_directories)'";
  } else if (flag.takes == Flag::Takes::kOther) {
    text += " -x";
  }
  return text + fmt::format(" -d '{}'\n", Escape(flag.help, "'\\"));
}

}  // namespace

std::string BashCompletion() {
  std::string text =
      fmt::format(kBashBegin, fmt::join(CommandNames(), " "), fmt::join(OptionsForms(), " "));
  const std::vector<Flag> flags = AllFlags();
  for (const CommandRow& row : CommandTable()) text += BashCommand(row, flags);
  return text + std::string(kBashEnd);
}

std::string ZshCompletion() {
  std::string text =
      "#compdef lookalike\n"
      "# zsh completion of lookalike; made by `lookalike options --zsh`.\n"
      "_lookalike() {\n  local -a commands=(\n";
  for (const CommandRow& row : CommandTable()) {
    text += fmt::format("    {}\n", Quote(fmt::format("{}:{}", row.name, row.summary)));
  }
  text +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe -t commands command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n"
      "    help) _describe -t commands command commands ;;\n";
  text += fmt::format("    options) compadd -- {} ;;\n", fmt::join(OptionsForms(), " "));
  const std::vector<Flag> flags = AllFlags();
  for (const CommandRow& row : CommandTable()) text += ZshCommand(row, flags);
  return text +
         "  esac\n}\n"
         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _lookalike \"$@\"\nelse\n"
         "  compdef _lookalike lookalike\nfi\n";
}

std::string FishCompletion() {
  std::string text =
      "# fish completion of lookalike; made by `lookalike options --fish`.\n"
      "complete -c lookalike -n __fish_use_subcommand -f\n";
  for (const CommandRow& row : CommandTable()) {
    text += fmt::format("complete -c lookalike -n __fish_use_subcommand -a {} -d '{}'\n", row.name,
                        Escape(row.summary, "'\\"));
  }
  text += "complete -c lookalike -n __fish_use_subcommand -l version -d 'Print the version'\n";
  text += fmt::format("complete -c lookalike -n '__fish_seen_subcommand_from options' -f -a '{}'\n",
                      fmt::join(OptionsForms(), " "));
  for (const Flag& flag : AllFlags()) text += FishFlag(flag);
  return text;
}

}  // namespace lookalike::cli
