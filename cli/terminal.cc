#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace lookalike::cli {

bool IsTerminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool HasColour(std::FILE* stream) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* const term = std::getenv("TERM");
  return IsTerminal(stream) && (term == nullptr || std::string_view(term) != "dumb");
}

size_t TerminalWidth(std::FILE* stream) {
  constexpr size_t kUsual = 100;
  winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

void Say(std::string_view text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

}  // namespace lookalike::cli
