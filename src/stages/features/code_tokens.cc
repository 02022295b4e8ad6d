#include "stages/features/code_tokens.h"

#include "text/utf8.h"

namespace lookalike {

void FindCodeTokens(std::string_view normalized, std::vector<ByteSpan>* tokens) {
  std::vector<ByteSpan> words;
  FindWords(normalized, &words);
  tokens->clear();
  const auto size = static_cast<uint32_t>(normalized.size());
  uint32_t at = 0;
  const auto add_symbols = [&](uint32_t end) {
    while (at < end) {
      const CodePoint code_point = ReadValidCodePoint(normalized.data() + at);
      if (!IsWhiteSpace(code_point.value)) tokens->push_back({at, at + code_point.length});
      at += code_point.length;
    }
  };
  for (const ByteSpan& word : words) {
    add_symbols(word.begin);
    tokens->push_back(word);
    at = word.end;
  }
  add_symbols(size);
}

}  // namespace lookalike
