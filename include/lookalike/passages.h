// Passages: runs of words, or of characters, that stand more than once in a collection, or in a
// reference as well.
#ifndef LOOKALIKE_PASSAGES_H_
#define LOOKALIKE_PASSAGES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Says what happens to documents with passages that stand elsewhere too.
enum class PassageAction : uint8_t {
  kReport,    ///< Nothing: passages are listed.
  kCut,       ///< Their first occurrence, by Options::keep, stays; the others go.
  kDrop,      ///< Documents with another occurrence go as a whole.
  kAnnotate,  ///< Every document stays as it is, and its record gets the places of its passages.
};

/// The parts of a text that are cut as a whole.
enum class PassageUnit : uint8_t { kSentence, kLine, kParagraph, kWords };

/// Returns "report", "cut", "drop" or "annotate"; "sentence", "line", "paragraph" or "words".
std::string_view NameOf(PassageAction action);
std::string_view NameOf(PassageUnit unit);

/// Returns the action or unit of this name, if there is one.
std::optional<PassageAction> PassageActionOf(std::string_view name);
std::optional<PassageUnit> PassageUnitOf(std::string_view name);

/// The passages that are looked for, and what is done about them.
struct PassageRules {
  /// The shortest passage, in words of the features' normal form; from 1 to kLongestLeast. None:
  /// kDefaultLeast, or what min_chars says.
  std::optional<uint64_t> min_words;
  /// The same in characters of the normal form, in which white space is one. Passages are then runs
  /// of characters, and these are counted wherever else words are. Not together with min_words.
  std::optional<uint64_t> min_chars;
  PassageAction action = PassageAction::kReport;
  PassageUnit unit = PassageUnit::kSentence;
  /// A document with cuts goes as a whole if fewer words would be left. With kDrop, 0 stands for
  /// every document with a passage that stands elsewhere.
  uint64_t min_left = 0;

  static constexpr uint64_t kDefaultLeast = 50;
  static constexpr uint64_t kLongestLeast = 1'000'000;

  /// True if passages are runs of characters, and not of words.
  [[nodiscard]] bool InChars() const { return min_chars.has_value(); }
  /// Returns the length of the shortest passage.
  [[nodiscard]] uint64_t Least() const {
    return min_chars.value_or(min_words.value_or(kDefaultLeast));
  }
};

struct PassagesSummary {
  RecordCounts records;  ///< `removed_near`: documents that went as a whole.
  FieldNames fields;
  bool in_chars = false;      ///< Words below are characters (PassageRules::min_chars).
  uint64_t passages = 0;      ///< Different runs of words.
  uint64_t places = 0;        ///< Places of all of them.
  uint64_t words = 0;         ///< Words of all documents, without the reference.
  uint64_t shared_words = 0;  ///< Those of them that are part of a passage.
  uint64_t cuts = 0;
  uint64_t cut_words = 0;
  uint64_t cut_bytes = 0;  ///< Bytes of the texts, in UTF-8.
  uint64_t dropped = 0;    ///< Documents that went as a whole.
  /// With Options::keep: how many cuts each criterion decided, as DedupSummary::kept_by, and after
  /// these "same document".
  std::vector<std::pair<std::string, uint64_t>> kept_by;
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t peak_scratch_bytes = 0;
};

/// Finds all passages of the inputs, and of the reference (Options::against) that the inputs have
/// too, and writes them to the folder `output` (docs/format/passages-v1.md). Every run of the
/// shortest length or more that stands at two places is in a passage at each of them; all places
/// of a passage have the same words. Uses the options of reading, normalisation and resources, and
/// Options::keep, by which the first place of a passage is that of the preferred document. Errors:
/// unreadable inputs, rules that make no sense, inputs that cannot be cut (HTML and WARC),
/// and an output that is in the way.
Result<PassagesSummary> FindPassages(const Inputs& inputs, const std::string& output,
                                     const PassageRules& rules, const Options& options,
                                     const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_PASSAGES_H_
