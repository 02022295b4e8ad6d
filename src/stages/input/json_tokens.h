// The tokens of one line of JSON, checked one by one, without building a tree.
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

/// True if a token is NaN, Infinity or -Infinity: not JSON, but written by many programs for values
/// that are not numbers.
bool IsNonFinite(std::string_view token);

/// Accepts the plain lines, nearly all in practice, at several times the speed of a full parser,
/// and leaves the others to it: whatever is malformed, rare or costly to check is "not plain". A
/// plain line is one that a full parser reads without error and in the same way. Not thread-safe.
class JsonTokens {
 public:
  using Index = uint32_t;

  /// Results of Find() that are not an index.
  static constexpr Index kMissing = UINT32_MAX, kUnsure = UINT32_MAX - 1;

  JsonTokens();
  ~JsonTokens();
  JsonTokens(const JsonTokens&) = delete;
  JsonTokens& operator=(const JsonTokens&) = delete;

  /// Reads a line. True if it is plain except for the escapes in its strings: one object, each
  /// token of which was checked. REQUIRES: kReadablePadding bytes after the end of `line` may be
  /// read; the line outlives all queries about it.
  bool Read(std::string_view line);

  /// Returns the value at `path` in the line's object; a field named exactly `path` comes first,
  /// then the nested one. REQUIRES: Read() returned true, as for all functions below.
  [[nodiscard]] Index Find(std::string_view path) const { return FindIn(0, path); }

  /// Returns the first element of an array, or the first member's name of an object; kMissing if it
  /// is empty. A member's value is two tokens after its name.
  [[nodiscard]] Index First(Index container) const;

  /// Returns the next element or member's name after a value in its array or object, or kMissing.
  [[nodiscard]] Index Next(Index value) const;

  /// Returns a token as spelled, a string with its quotes. For an object or array, its opening
  /// bracket.
  [[nodiscard]] std::string_view Token(Index token) const;

  /// Returns the value of a string token: a view into the line if it has no escapes, else into
  /// `arena`. Returns nothing if the string is not plain.
  std::optional<std::string_view> String(Index token, TextArena* arena);

  /// True if the strings for which String() was not called have only plain escapes.
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
  const uint32_t* begins_ = nullptr;  // begin of each token in the line
  Index count_ = 0;
  std::array<Index, kDeepest> open_;  // the objects and arrays around the current token
  size_t depth_ = 0;
  std::vector<Index> close_;    // by opening token
  std::vector<Index> escaped_;  // strings with escapes; ascending
  std::vector<Index> checked_;  // the strings with escapes that were already checked
  std::vector<uint8_t> scratch_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_TOKENS_H_
