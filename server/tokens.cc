#include "tokens.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace lookalike::server {
namespace {

constexpr std::pair<Scope, std::string_view> kScopes[] = {
    {kRead, "read"}, {kWrite, "write"}, {kAdmin, "admin"}};
constexpr size_t kShortest = 8;

/// Compares without ending early, so that the time does not tell how much is right.
bool IsSame(std::string_view a, std::string_view b) {
  unsigned char differ = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    differ = static_cast<unsigned char>(differ | (a[i] ^ other));
  }
  return differ == 0;
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Returns the bits of "read,write"; 0 if a word is no scope.
uint8_t ScopesOfWords(std::string_view words) {
  uint8_t scopes = 0;
  while (!words.empty()) {
    const std::string_view word = Trimmed(words.substr(0, words.find(',')));
    const auto at = std::ranges::find(kScopes, word, &std::pair<Scope, std::string_view>::second);
    if (at == std::end(kScopes)) return 0;
    scopes = static_cast<uint8_t>(scopes | at->first);
    const size_t comma = words.find(',');
    words = comma == words.npos ? std::string_view() : words.substr(comma + 1);
  }
  return scopes;
}

}  // namespace

std::string NamesOf(uint8_t scopes) {
  std::string names;
  for (const auto& [scope, name] : kScopes) {
    if ((scopes & scope) != 0) names += fmt::format("{}{}", names.empty() ? "" : " or ", name);
  }
  return names;
}

Result<Tokens> Tokens::Parse(std::string_view text, const std::string& place) {
  Tokens tokens;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trimmed(text.substr(0, std::min(end, text.find('#'))));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const size_t gap = line.find_first_of(" \t");
    const uint8_t scopes = gap == line.npos ? 0 : ScopesOfWords(Trimmed(line.substr(gap)));
    const std::string where = fmt::format("{}:{}", place, number);
    if (scopes == 0) {
      return UsageError("a line has a token and its scopes: TOKEN read,write,admin", where);
    }
    if (gap < kShortest) {
      return UsageError(
          fmt::format("the token has {} characters, which can be guessed; use {} or more", gap,
                      kShortest),
          where);
    }
    tokens.known_.push_back({std::string(line.substr(0, gap)), scopes});
  }
  if (tokens.empty()) return UsageError("has no token; add a line: TOKEN read,write,admin", place);
  return tokens;
}

Result<Tokens> Tokens::ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  struct stat facts = {};
  if (!file || stat(path.c_str(), &facts) != 0) {
    return UsageError("cannot be read; check the path of --token-file", path);
  }
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return UsageError(
        "is open to others, who could use its tokens or add some; run chmod 600 on it", path);
  }
  if (facts.st_uid != geteuid() && facts.st_uid != 0) {
    return UsageError(
        "belongs to another user, who could change its tokens; use a file of your own", path);
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return Parse(text, path);
}

uint8_t Tokens::ScopesOf(std::string_view token) const {
  uint8_t scopes = 0;
  for (const Known& known : known_) {
    if (IsSame(token, known.token)) scopes = static_cast<uint8_t>(scopes | known.scopes);
  }
  return scopes;
}

}  // namespace lookalike::server
