// The tokens that tell the two documents of a guarded pair apart.
#ifndef LOOKALIKE_RESULTS_GUARD_DIFFERENCES_H_
#define LOOKALIKE_RESULTS_GUARD_DIFFERENCES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/sink.h"
#include "stages/guards/guard_spec.h"
#include "stages/guards/token_list.h"

namespace lookalike {

/// The tokens of a document as bytes: for each guard their number, and for each of them its length
/// and its bytes.
class StoredTokens {
 public:
  /// Appends the tokens of the next guard.
  static void Append(const TokenList& tokens, std::string* bytes);

  explicit StoredTokens(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the tokens of the next guard. Of bytes that are cut or others, returns what is there.
  std::vector<std::string> Next();

  /// True if all tokens were read, and no byte was missing.
  [[nodiscard]] bool IsAtEnd() const { return bytes_.empty() && !cut_; }

 private:
  uint64_t ReadCount();

  std::string_view bytes_;
  bool cut_ = false;
};

/// Returns the guards in which two documents differ, with the tokens that differ.
std::vector<GuardDifference> DifferencesOf(const GuardSpec& spec, StoredTokens* a, StoredTokens* d);

/// Appends them as `differ` of guarded.jsonl has them: a JSON object.
void AppendDifferences(std::span<const GuardDifference> differ, std::string* json);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_GUARD_DIFFERENCES_H_
