// The tokens that callers of the server identify themselves with.
#ifndef LOOKALIKE_SERVER_TOKENS_H_
#define LOOKALIKE_SERVER_TOKENS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike::server {

/// Rights of a caller, as bits.
enum Scope : uint8_t {
  kAnyone = 0,
  kRead = 1,
  kWrite = 2,
  kAdmin = 4,
  kEverything = kRead | kWrite | kAdmin,
};

/// Returns the names of scopes: "read", or "read or admin".
std::string NamesOf(uint8_t scopes);

class Tokens {
 public:
  /// No tokens: everybody may do everything.
  Tokens() = default;

  /// Reads lines such as "TOKEN read,write"; `#` begins a comment. `place` is for errors, which
  /// never show a token.
  static Result<Tokens> Parse(std::string_view text, const std::string& place);

  /// Reads a file that is open to nobody but its owner: this user, or root.
  static Result<Tokens> ReadFile(const std::string& path);

  [[nodiscard]] bool empty() const { return known_.empty(); }

  /// Returns the scopes of a token as bits; 0: it is unknown. Takes as long for every token of its
  /// length.
  [[nodiscard]] uint8_t ScopesOf(std::string_view token) const;

 private:
  struct Known {
    std::string token;
    uint8_t scopes;
  };
  std::vector<Known> known_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_TOKENS_H_
