#include "lookalike/messages.h"

#include <algorithm>
#include <utility>

namespace lookalike {
namespace {

bool IsName(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == text.npos;
}

/// Reads `method` or `method=exact`.
MarkedOption SplitOption(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// The parts of a message from its front on: plain text, then a mark, if there is one.
struct Piece {
  std::string_view plain;
  std::string_view option;  ///< Inside of $<...>, else empty.
  std::string_view call;    ///< Inside of $(...), else empty.
};

/// Returns the length of the inside of $<...>: up to the mark's end, or npos. A value in quotes may
/// itself have the closing character.
size_t InsideLength(std::string_view inside) {
  const size_t name =
      std::min(inside.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), inside.size());
  if (!IsName(inside.substr(0, name))) return inside.npos;
  if (inside.substr(name).starts_with(">")) return name;
  if (!inside.substr(name).starts_with("=")) return inside.npos;
  if (!inside.substr(name + 1).starts_with("'")) return inside.find('>', name);
  const size_t quote = inside.find("'>", name + 2);
  return quote == inside.npos ? quote : quote + 1;
}

size_t CallLength(std::string_view inside) {
  const size_t end = inside.find(')');
  if (end == inside.npos) return end;
  return IsName(inside.substr(0, std::min(end, inside.find(' ')))) ? end : inside.npos;
}

/// Takes the next piece off the front of `message`.
Piece TakePiece(std::string_view* message) {
  Piece piece;
  for (size_t at = message->find('$'); at != message->npos; at = message->find('$', at + 1)) {
    const std::string_view inside = message->substr(std::min(at + 2, message->size()));
    const std::string_view mark = message->substr(at, 2);
    const size_t length = mark == "$<"   ? InsideLength(inside)
                          : mark == "$(" ? CallLength(inside)
                                         : inside.npos;
    if (length == inside.npos) continue;
    piece.plain = message->substr(0, at);
    (mark == "$<" ? piece.option : piece.call) = inside.substr(0, length);
    message->remove_prefix(at + length + 3);
    return piece;
  }
  piece.plain = std::exchange(*message, {});
  return piece;
}

/// Reads the options of a call, which follow its command and are separated by blanks.
std::vector<MarkedOption> OptionsOfCall(std::string_view call) {
  std::vector<MarkedOption> options;
  for (size_t at = call.find(' '); at != call.npos; at = call.find(' ')) {
    call.remove_prefix(at + 1);
    options.push_back(SplitOption(call.substr(0, call.find(' '))));
  }
  return options;
}

class PlainWords : public MessageWords {
 public:
  [[nodiscard]] std::string Option(const MarkedOption& option) const override {
    return std::string(option.name) + (option.value ? "=" + std::string(*option.value) : "");
  }

  [[nodiscard]] std::string Call(std::string_view command,
                                 const std::vector<MarkedOption>& options) const override {
    std::string text = "`lookalike " + std::string(command) + "`";
    for (const MarkedOption& option : options) {
      text += (&option == &options.front() ? " with " : " and ") + Option(option);
    }
    return text;
  }
};

}  // namespace

std::string InWords(std::string_view message, const MessageWords& words) {
  std::string text;
  while (!message.empty()) {
    const Piece piece = TakePiece(&message);
    text += piece.plain;
    if (!piece.option.empty()) text += words.Option(SplitOption(piece.option));
    if (piece.call.empty()) continue;
    text += words.Call(piece.call.substr(0, piece.call.find(' ')), OptionsOfCall(piece.call));
  }
  return text;
}

std::string InPlainWords(std::string_view message) { return InWords(message, PlainWords()); }

std::vector<std::string> MarkedOptions(std::string_view message) {
  std::vector<std::string> names;
  while (!message.empty()) {
    const Piece piece = TakePiece(&message);
    const std::string name(SplitOption(piece.option).name);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace lookalike
