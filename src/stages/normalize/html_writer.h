// The text of a page as it is put together. Inside this stage only.
#ifndef LOOKALIKE_STAGES_NORMALIZE_HTML_WRITER_H_
#define LOOKALIKE_STAGES_NORMALIZE_HTML_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stages/normalize/html_text.h"

namespace lookalike {

/// Character references that were already looked up, with their decoded text; bounded.
using KnownReferences = std::unordered_map<std::string, std::string>;

/// Folds white space and remembers where text came from.
class HtmlWriter {
 public:
  /// A stretch of a page: its bytes, and where they begin.
  struct Place {
    std::string_view bytes;
    uint32_t begin = 0;
  };

  /// Begins a new text. `pieces` may be null, and must outlive the text.
  void Begin(std::vector<HtmlPiece>* pieces);

  /// Appends text with its character references resolved, and its source. `in_attribute`:
  /// references follow other rules there.
  void AddText(std::string_view decoded, const Place& source, bool in_attribute);

  /// Appends an address as one word.
  void AddUrl(std::string_view url, const Place& source);

  /// Makes the text that follows begin a new line.
  void EndLine() { gap_ = Gap::kLine; }

  /// Makes the text that follows begin a new word.
  void EndWord() {
    if (gap_ == Gap::kNone) gap_ = Gap::kBlank;
  }

  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  enum class Gap : uint8_t { kNone, kBlank, kLine };

  void CloseGap();
  void AddWord(std::string_view decoded, std::string_view word);
  void AddPiece(const HtmlPiece& piece);

  std::string text_;
  std::vector<HtmlPiece>* pieces_ = nullptr;
  Gap gap_ = Gap::kNone;
  KnownReferences known_;
  std::vector<uint32_t> begins_, ends_;  ///< Source range of each byte of the decoded text.
};

/// Finds where in `source` each byte of `decoded` comes from: `begins` and `ends`, by byte. If the
/// two do not match, every byte comes from all of `source`.
void AlignReferences(std::string_view decoded, const HtmlWriter::Place& source, bool in_attribute,
                     KnownReferences* known, std::vector<uint32_t>* begins,
                     std::vector<uint32_t>* ends);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_HTML_WRITER_H_
