// The places at which a text can be cut without tearing what belongs together.
#ifndef LOOKALIKE_STAGES_PASSAGES_TEXT_BORDERS_H_
#define LOOKALIKE_STAGES_PASSAGES_TEXT_BORDERS_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace lookalike {

/// The parts of a text that stay or go as a whole.
enum class CutUnit : uint8_t { kSentence, kLine, kParagraph, kWords };

/// Replaces `borders` by the bytes at which units begin, ascending, from 0 to the size of the text;
/// a text without bytes has none. White space belongs to the unit before it. Sentences are those of
/// Unicode (UAX #29, for no language in particular), except that a single line end is like a blank,
/// so that wrapped lines are no sentences; they end at blank lines. Lines end after LF, CR, or CR
/// LF; paragraphs after blank lines. For kWords there are only the front and the end, because words
/// are found elsewhere. REQUIRES: `text` is UTF-8.
void FindBorders(std::string_view text, CutUnit unit, std::vector<uint64_t>* borders);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_TEXT_BORDERS_H_
