#include "serve_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "access_log.h"
#include "lookalike/index.h"
#include "server/http_server.h"
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
  if (!tokens.empty() || address.starts_with("127.") || address == "::1") return {};
  return UsageError(
      "can be reached from other machines, and without a token everybody could change the index; "
      "pass --token-file, or listen on 127.0.0.1",
      address);
}

/// Returns the line of the access log for a request.
std::string LineOf(const server::RequestFacts& facts) {
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  return fmt::format(
      R"({{"time":"{:%Y-%m-%dT%H:%M:%S}Z","method":"{}","route":"{}","status":{},"seconds":{:.6f},)"
      R"("bytes_in":{},"bytes_out":{},"request":"{}"}})"
      "\n",
      now, facts.method, facts.route, facts.status, facts.seconds, facts.bytes_in, facts.bytes_out,
      facts.request_id);
}

size_t Threads(const Request& request) {
  if (request.options.threads != 0) return request.options.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

Result<ExitCode> RunServe(const Request& request) {
  const std::string& folder = request.inputs[0];
  LOOKALIKE_ASSIGN_OR_RETURN(const server::Tokens tokens, ReadTokens(request));
  LOOKALIKE_RETURN_IF_ERROR(CheckAddress(request.serve.address, tokens));
  LOOKALIKE_ASSIGN_OR_RETURN(Index index,
                             Index::Open(folder, IndexMode::kWrite, request.options.memory));
  server::Service service(std::move(index), {request.serve.backups},
                          [](const std::string& message) { Say(message + "\n"); });
  server::HttpSettings settings;
  settings.address = request.serve.address;
  settings.port = request.serve.port;
  settings.threads = Threads(request);
  const bool quiet = request.options.quiet;
  const auto started = [&](uint16_t port) {
    const std::string host = settings.address.find(':') == std::string::npos
                                 ? settings.address
                                 : "[" + settings.address + "]";
    if (!quiet) Say(fmt::format("lookalike: {} is served at http://{}:{}\n", folder, host, port));
  };
  AccessLog lines;
  const auto log = [&](const server::RequestFacts& facts) {
    if (!quiet) lines.Add(LineOf(facts));
  };
  LOOKALIKE_RETURN_IF_ERROR(server::ServeHttp(&service, tokens, settings, started, log));
  return kDone;
}

}  // namespace lookalike::cli
