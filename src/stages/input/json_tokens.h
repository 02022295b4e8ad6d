// The tokens of one line of JSON, checked one by one, without a tree of what they mean.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_TOKENS_H_
#define LOOKALIKE_STAGES_INPUT_JSON_TOKENS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "stages/input/block_buffer.h"

namespace lookalike {

/// Whether a token is NaN, Infinity or -Infinity: no JSON, but what many writers make of a number
/// that is none.
bool IsNonFinite(std::string_view token);

/// Takes the plain lines, which nearly all are, at several times the speed of a full parser, and
/// leaves the others to it: whatever is malformed, rare or costly to tell is "not plain". A plain
/// line is one that a full parser reads without error and in the same way. Not thread-safe.
class JsonTokens {
 public:
  using Index = uint32_t;

  /// What Find() returns besides an index.
  static constexpr Index kMissing = UINT32_MAX, kUnsure = UINT32_MAX - 1;

  JsonTokens();
  ~JsonTokens();
  JsonTokens(const JsonTokens&) = delete;
  JsonTokens& operator=(const JsonTokens&) = delete;

  /// Whether the line is plain but for the escapes in its strings: one object, each token of
  /// which was looked at. REQUIRES: kReadablePadding bytes after the end of `line` may be read;
  /// the line lives as long as it is asked about.
  bool Read(std::string_view line);

  /// The value at `path` in the line's object; a field named exactly `path` comes first, then the
  /// nested one. REQUIRES: Read() returned true; so for all that follows.
  [[nodiscard]] Index Find(std::string_view path) const { return FindIn(0, path); }

  /// The first element of an array, or the first member's name of an object; kMissing where it is
  /// empty. A member's value stands two tokens behind its name.
  [[nodiscard]] Index First(Index container) const;

  /// What follows a value in its array or object: an element, or a member's name; or kMissing.
  [[nodiscard]] Index Next(Index value) const;

  /// A token as it is spelled, a string with its quotes. Of an object or array, where it opens.
  [[nodiscard]] std::string_view Token(Index token) const;

  /// What a string token means: a view into the line where it has no escapes, else into `arena`.
  /// Nothing where the string is not plain.
  std::optional<std::string_view> String(Index token, TextArena* arena);

  /// Whether the strings that String() was not called for have plain escapes.
  bool CheckOtherStrings();

 private:
  struct Indexer;

  static constexpr size_t kDeepest = 64;

  [[nodiscard]] char At(Index token) const;
  [[nodiscard]] bool InObject() const { return depth_ > 0 && At(open_[depth_ - 1]) == '{'; }
  bool CheckStructure();
  bool BeginValue(Index* at, bool* ended);
  bool Open(Index* at, bool* ended);
  void CloseAll(Index* at);
  bool CheckKey(Index* at);
  bool CheckString(Index token);
  [[nodiscard]] Index FindIn(Index object, std::string_view path) const;
  [[nodiscard]] Index FindField(Index object, std::string_view name) const;
  [[nodiscard]] Index Behind(Index value) const;

  std::unique_ptr<Indexer> indexer_;
  std::string_view line_;
  const uint32_t* begins_ = nullptr;  // of the tokens, in the line
  Index count_ = 0;
  std::array<Index, kDeepest> open_;  // the objects and arrays around the token at hand
  size_t depth_ = 0;
  std::vector<Index> close_;    // by the token that opens
  std::vector<Index> escaped_;  // strings with escapes; ascending
  std::vector<Index> checked_;  // of those, the ones whose escapes were checked
  std::vector<uint8_t> scratch_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_TOKENS_H_
