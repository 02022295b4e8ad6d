// The tokens of a document for one guard.
#ifndef LOOKALIKE_STAGES_GUARDS_TOKEN_LIST_H_
#define LOOKALIKE_STAGES_GUARDS_TOKEN_LIST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// Texts, back to back in one string, so that a list that is used again takes no new memory.
class TokenList {
 public:
  void Clear() {
    bytes_.clear();
    ends_.clear();
  }

  void Add(std::string_view token) {
    bytes_ += token;
    End();
  }

  /// Appends to the token that End() completes.
  void Append(std::string_view part) { bytes_ += part; }
  void Append(char part) { bytes_ += part; }
  void End() { ends_.push_back(bytes_.size()); }

  [[nodiscard]] size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_GUARDS_TOKEN_LIST_H_
