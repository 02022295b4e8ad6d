// Words and code points of normalised text.
#ifndef LOOKALIKE_STAGES_FEATURES_WORDS_H_
#define LOOKALIKE_STAGES_FEATURES_WORDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/fold.h"

namespace lookalike {

/// A run of bytes of normalised text.
struct ByteSpan {
  uint32_t begin, end;
};

/// Returns the role of a code point of normalised text in words.
WordClass WordClassOf(char32_t code_point);

/// True if the code point has the property White_Space.
bool IsWhiteSpace(char32_t code_point);

/// Finds the words of normalised text (docs/format/fingerprint-v1.md): maximal runs of letters,
/// marks, digits and connector punctuation (L, M, N, Pc of Unicode 14.0); each code point of
/// exactly Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer, Myanmar in those classes is a word
/// by itself. REQUIRES: valid UTF-8 below 4 GiB, 64 readable bytes after its end.
void FindWords(std::string_view normalized, std::vector<ByteSpan>* words);

/// Finds the units of char:N shingles: the code points of normalised text, with each run of white
/// space (the property White_Space) folded to one blank (its span covers the whole run) and none at
/// the ends. A unit that is white space has the value U+0020. At the ends only, the information
/// separators U+001C to U+001F are cut off like white space. `values` gets the code points, `spans`
/// their bytes. REQUIRES: valid UTF-8 below 4 GiB.
void FindCharacters(std::string_view normalized, std::vector<char32_t>* values,
                    std::vector<ByteSpan>* spans);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_WORDS_H_
