#include "terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

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

void ReserveStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() uses the lowest free number, which is this one. Opening it in the wrong direction
    // makes any use an error.
    (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Status WriteOut(std::string_view text) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int error = 0;
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = errno;
      break;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  std::signal(SIGPIPE, before);
  if (error == 0) return {};
  return DiskError(std::string("standard output cannot be written: ") + std::strerror(error));
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
