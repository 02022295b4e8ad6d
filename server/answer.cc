#include "answer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lookalike/messages.h"

namespace lookalike::server {
namespace {

/// Writes options as members of a body.
class MemberWords : public MessageWords {
 public:
  [[nodiscard]] std::string Option(const MarkedOption& option) const override {
    std::string name(option.name);
    for (char& c : name) c = c == '-' ? '_' : c;
    return option.value ? fmt::format("{}={}", name, *option.value) : name;
  }
  [[nodiscard]] std::string Call(std::string_view command,
                                 const std::vector<MarkedOption>& /*options*/) const override {
    return fmt::format("lookalike {}", command);
  }
};

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kOption:
    case ErrorCode::kInput:
      return 400;
    case ErrorCode::kMemory:
    case ErrorCode::kCancelled:
      return 503;
    case ErrorCode::kDisk:
      return 507;
    case ErrorCode::kCorrupt:
    case ErrorCode::kBug:
      break;
  }
  return 500;
}

}  // namespace

std::string_view PhraseOf(int status) {
  constexpr std::pair<int, std::string_view> kPhrases[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
      {507, "Insufficient Storage"},
  };
  for (const auto& [known, phrase] : kPhrases) {
    if (known == status) return phrase;
  }
  return "Unknown";
}

Answer Problem(int status, std::string_view detail) {
  const nlohmann::ordered_json json = {
      {"type", "about:blank"}, {"title", PhraseOf(status)}, {"status", status}, {"detail", detail}};
  using Handler = nlohmann::ordered_json::error_handler_t;
  Answer answer = {status, json.dump(-1, ' ', false, Handler::replace), "application/problem+json"};
  if (status == 503) answer.headers.emplace_back("Retry-After", "1");
  if (status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

Answer ProblemOf(const Error& error) {
  const int status = StatusOf(error.code);
  if (status == 500) return Problem(status, "the server failed; its log says why");
  return Problem(status, InWords(error.what, MemberWords()));
}

}  // namespace lookalike::server
