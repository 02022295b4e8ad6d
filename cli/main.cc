// The command: words -> request -> run -> exit code.
#include <fmt/format.h>
#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "completions.h"
#include "flag_words.h"
#include "help.h"
#include "lookalike/lookalike.h"
#include "man_page.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

/// Returns what `lookalike options FORM` prints.
std::string OptionsIn(std::string_view form) {
  if (form == "--markdown") return OptionsMarkdown();
  if (form == "--commands") return CommandsMarkdown();
  if (form == "--man") return ManPage();
  if (form == "--bash") return BashCompletion();
  if (form == "--zsh") return ZshCompletion();
  if (form == "--fish") return FishCompletion();
  return PresetsHelp();
}

std::string HelpFor(const Request& request) {
  if (request.command == nullptr) return GeneralHelp();
  return request.full_help ? FullCommandHelp(*request.command) : CommandHelp(*request.command);
}

/// Makes large blocks of memory return to the system when they are freed. The C library would keep
/// up to 64 MiB per thread, but --memory applies to the whole process, and its plan counts only
/// memory in use.
void ReturnLargeBlocks() {
  constexpr int kLarge = 1 << 20, kUnusedEnd = 16 << 20;
  (void)mallopt(M_MMAP_THRESHOLD, kLarge);  // also stops it from growing as blocks are freed
  (void)mallopt(M_TRIM_THRESHOLD, kUnusedEnd);
}

Result<ExitCode> Run(const std::vector<std::string>& words) {
  const char* const isa = std::getenv("LOOKALIKE_ISA");
  LOOKALIKE_RETURN_IF_ERROR(SelectInstructionSet(isa == nullptr ? "" : isa));
  LOOKALIKE_ASSIGN_OR_RETURN(const Request request, ParseCommandLine(words));
  switch (request.action) {
    case Request::Action::kRun:
      return RunCommand(request);
    case Request::Action::kHelp:
      fmt::print("{}", HelpFor(request));
      return kDone;
    case Request::Action::kVersion:
      fmt::print("lookalike {}\n", VersionString());
      return kDone;
    case Request::Action::kOptions:
      fmt::print("{}", OptionsIn(request.options_form));
      return kDone;
  }
  return kDone;
}

/// Calls Run, and turns exceptions into Errors: from fmt, if standard output cannot be written, and
/// from allocations anywhere.
Result<ExitCode> RunSafely(const std::vector<std::string>& words) {
  try {
    return Run(words);
  } catch (const std::bad_alloc&) {
    return MemoryError("out of memory; free some memory, or use a machine with more");
  } catch (const std::system_error& error) {
    return DiskError(fmt::format("{}; is the disk of standard output full?", error.what()));
  } catch (const std::exception& error) {
    return BugError(fmt::format("unexpected failure: {}; please report this", error.what()));
  }
}

int Main(int argc, char** argv) {
  ReserveStandardStreams();
  ReturnLargeBlocks();
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file too large then gives a write error, like a full disk
  if (argc < 2) {
    Say(GeneralHelp());
    return kFailed;
  }
  const Result<ExitCode> code = RunSafely(std::vector<std::string>(argv + 1, argv + argc));
  if (!code) {
    Say(OneLine(InFlags(code.error().Marked())) + "\n");
    return kFailed;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    Say("lookalike: standard output cannot be written; is its disk full?\n");
    return kFailed;
  }
  return *code;
}

}  // namespace
}  // namespace lookalike::cli

int main(int argc, char** argv) { return lookalike::cli::Main(argc, argv); }
