#include "serve_command.h"

#include <arpa/inet.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "access_log.h"
#include "lookalike/index.h"
#include "server/http_server.h"
#include "server/mcp.h"
#include "server/result_site.h"
#include "server/service.h"
#include "server/tokens.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

constexpr const char* kTokensVariable = "LOOKALIKE_TOKENS";

Result<server::Tokens> ReadTokens(const Request& request) {
  if (!request.serve.token_file.empty()) return server::Tokens::ReadFile(request.serve.token_file);
  const char* const given = std::getenv(kTokensVariable);
  if (given == nullptr || *given == '\0') return server::Tokens();
  return server::Tokens::Parse(given, kTokensVariable);
}

/// Refuses to let everybody on the network change an index.
Status CheckAddress(const std::string& address, const server::Tokens& tokens) {
  in_addr four = {};
  in6_addr six = {};
  const bool is_four = inet_pton(AF_INET, address.c_str(), &four) == 1;
  const bool is_six = !is_four && inet_pton(AF_INET6, address.c_str(), &six) == 1;
  if (!is_four && !is_six) return UsageError("is not an IP address, such as 127.0.0.1", address);
  const bool is_here = is_four ? ntohl(four.s_addr) >> 24 == 127 : IN6_IS_ADDR_LOOPBACK(&six) != 0;
  if (is_here || !tokens.empty()) return {};
  return UsageError(
      "can be reached from other machines, and without a token everybody could change the index; "
      "pass --token-file, or listen on 127.0.0.1",
      address);
}

/// Lets as many files and connections be open as the system allows. Returns the number.
uint64_t RaiseFileLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
  (void)getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

/// Returns how many connections may be open, so that the index can open its files: one that cannot
/// be written any more takes no documents until it is opened again.
int64_t MostConnections(uint64_t files, int64_t wanted) {
  const uint64_t for_index = std::min<uint64_t>(1024, files / 2);
  return static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(wanted), files - for_index));
}

/// Returns the line of the access log for a request.
std::string LineOf(const server::RequestFacts& facts) {
  const auto now = std::chrono::system_clock::now();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  return fmt::format(
      R"({{"time":"{:%Y-%m-%dT%H:%M:%S}.{:03}Z","method":"{}","route":"{}","status":{},"seconds":{:.6f},)"
      R"("bytes_in":{},"bytes_out":{},"request":"{}"}})"
      "\n",
      std::chrono::time_point_cast<std::chrono::seconds>(now), milliseconds, facts.method,
      facts.route, facts.status, facts.seconds, facts.bytes_in, facts.bytes_out, facts.request_id);
}

/// Reads lines that come at any time, and drops what is too long.
class LineReader {
 public:
  LineReader(int descriptor, size_t most) : descriptor_(descriptor), most_(most) {}

  /// Returns the next line without its end; null after the last one. Valid until the next call.
  const std::string* Next() {
    line_.clear();
    was_too_long_ = false;
    while (true) {
      const size_t end = buffer_.find('\n');
      const size_t some = std::min(end, buffer_.size());
      was_too_long_ = was_too_long_ || line_.size() + some > most_;
      if (!was_too_long_) line_.append(buffer_, 0, some);
      if (end != buffer_.npos) {
        buffer_.erase(0, end + 1);
        return &line_;
      }
      buffer_.resize(kBlock);
      const ssize_t got = read(descriptor_, buffer_.data(), kBlock);
      buffer_.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
      if (got <= 0 && !(got < 0 && errno == EINTR)) return line_.empty() ? nullptr : &line_;
    }
  }

  /// True if the line was longer than allowed, and is not whole.
  [[nodiscard]] bool was_too_long() const { return was_too_long_; }

 private:
  static constexpr size_t kBlock = size_t{64} << 10;

  int descriptor_;
  size_t most_;
  std::string buffer_, line_;
  bool was_too_long_ = false;
};

size_t Threads(const Request& request) {
  if (request.options.threads != 0) return request.options.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

void Tell(const std::string& message) { Say(message + "\n"); }

Status CheckOperands(const Request& request) {
  const bool is_result = !request.serve.result.empty();
  const ServeArguments& serve = request.serve;
  if (!is_result && !(serve.decisions.empty() && serve.texts.empty() && serve.audit.empty() &&
                      serve.agree.empty())) {
    return UsageError("--decisions, --texts, --audit and --agree belong to --result");
  }
  if (!serve.agree.empty() && request.inputs.empty()) {
    return UsageError("--agree compares fields of the inputs; name them after the options");
  }
  if (is_result && !request.serve.backups.empty()) {
    return UsageError("--backups copies an index; it has no use with --result");
  }
  if (request.serve.certificate.empty() != request.serve.key.empty()) {
    return UsageError("--tls-certificate and --tls-key need each other");
  }
  if (is_result && std::ranges::count(request.inputs, "-") > 0) {
    return UsageError("--result reads its inputs again; standard input can be read once");
  }
  if (is_result || request.inputs.size() == 1) return {};
  return UsageError(
      fmt::format("serve takes one index, or --result with its inputs; {} operands "
                  "were given",
                  request.inputs.size()));
}

/// Serves until a signal comes. `name`: what is served, for people.
Result<ExitCode> Serve(const Request& request, const server::Tokens& tokens,
                       const std::string& name, const server::Served& served) {
  std::signal(SIGPIPE, SIG_IGN);  // a log whose reader is gone must not end the server
  server::HttpSettings settings;
  settings.most_connections = MostConnections(RaiseFileLimit(), settings.most_connections);
  settings.address = request.serve.address;
  settings.port = request.serve.port;
  settings.certificate = request.serve.certificate;
  settings.key = request.serve.key;
  settings.threads = Threads(request);
  const bool quiet = request.options.quiet;
  const auto started = [&](uint16_t port) {
    const std::string host = settings.address.find(':') == std::string::npos
                                 ? settings.address
                                 : "[" + settings.address + "]";
    const std::string_view scheme = settings.certificate.empty() ? "http" : "https";
    if (quiet) return;
    Say(fmt::format("lookalike: {} is served at {}://{}:{}\n", name, scheme, host, port));
  };
  AccessLog lines;
  const auto log = [&](const server::RequestFacts& facts) {
    if (!quiet) lines.Add(LineOf(facts));
  };
  LOOKALIKE_RETURN_IF_ERROR(server::ServeHttp(served, tokens, settings, started, log));
  return kDone;
}

}  // namespace

Result<ExitCode> RunServe(const Request& request) {
  const ServeArguments& serve = request.serve;
  LOOKALIKE_RETURN_IF_ERROR(CheckOperands(request));
  LOOKALIKE_ASSIGN_OR_RETURN(const server::Tokens tokens, ReadTokens(request));
  LOOKALIKE_RETURN_IF_ERROR(CheckAddress(serve.address, tokens));
  if (!serve.result.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto site,
                               server::ResultSite::Open({.folder = serve.result,
                                                         .inputs = request.inputs,
                                                         .decisions = serve.decisions,
                                                         .audit = serve.audit,
                                                         .texts = serve.texts,
                                                         .agree = serve.agree,
                                                         .memory = request.options.memory},
                                                        Tell));
    return Serve(request, tokens, serve.result, site->served());
  }
  const std::string& folder = request.inputs[0];
  LOOKALIKE_ASSIGN_OR_RETURN(Index index,
                             Index::Open(folder, IndexMode::kWrite, request.options.memory));
  server::Service service(std::move(index), {serve.backups}, Tell);
  return Serve(request, tokens, folder, {&service});
}

Result<ExitCode> RunMcp(const Request& request) {
  LOOKALIKE_ASSIGN_OR_RETURN(
      Index index, Index::Open(request.inputs[0], IndexMode::kWrite, request.options.memory));
  server::Service service(std::move(index), {}, Tell);
  server::McpServer mcp(&service);
  LineReader lines(STDIN_FILENO, server::McpServer::kMostBytes);
  while (const std::string* line = lines.Next()) {
    if (lines.was_too_long()) {
      LOOKALIKE_RETURN_IF_ERROR(WriteOut(server::McpServer::RefuseLength()));
    } else if (line->find_first_not_of(" \t\r") != line->npos) {
      const auto answer = mcp.Take(*line);
      if (answer) LOOKALIKE_RETURN_IF_ERROR(WriteOut(*answer));
    }
  }
  return kDone;
}

}  // namespace lookalike::cli
