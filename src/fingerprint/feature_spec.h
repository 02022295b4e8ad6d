// What an item's features are: everything that decides them, as plain data.
#ifndef LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_
#define LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "flow/item_text.h"
#include "lookalike/status.h"
#include "stages/features/items.h"
#include "stages/features/points.h"
#include "stages/features/stop_words.h"
#include "stages/features/weights.h"
#include "stages/normalize/html_mode.h"
#include "stages/normalize/normal_form.h"

namespace lookalike {

/// Cells of the ball around a point, where their number is not known yet.
inline constexpr uint64_t kUsualCellsOfPoint = 64;

/// What a shingle is: a run of units, all of them or some.
struct ShingleSpec {
  enum class Kind : uint8_t {
    kWord,      ///< word:N, N words.
    kChar,      ///< char:N, N code points, white space folded.
    kByte,      ///< byte:N, N bytes.
    kCode,      ///< code:N, N tokens of source code.
    kStopWord,  ///< stopword:N, a stop word and the N words after it.
    kWinnow,    ///< winnow:K,W, of each W runs of K code points in a row one.
    kUrl,       ///< url:N, N tokens of a URL.
    kPoint,     ///< point:R,Q, of each point the cells of width Q around it.
    kCells,     ///< cells:W,M, of each point its cell in each of M shifted grids of width W.
    kSeries,    ///< series:L,W,M, the same of L numbers in a row.
    kItem,      ///< item, one item of a list.
  };
  Kind kind = Kind::kWord;
  uint32_t length = 5;  ///< N, K or L, from 1 to 64 (stopword: to 63); of points and items 1.
  uint32_t window = 1;  ///< W of winnow, from 1 to 4096; 1 where it means nothing.
  CellRule cells = {};  ///< Of points and series.

  /// Units of one shingle.
  [[nodiscard]] uint32_t units() const { return kind == Kind::kStopWord ? length + 1 : length; }
  /// Whether its units are code points, of which a run of white space is one.
  [[nodiscard]] bool HasCharacters() const { return kind == Kind::kChar || kind == Kind::kWinnow; }
  /// Whether a text of it is a list of numbers.
  [[nodiscard]] bool HasNumbers() const {
    return kind == Kind::kPoint || kind == Kind::kCells || kind == Kind::kSeries;
  }
  /// Whether it reads texts as they are, once they are repaired.
  [[nodiscard]] bool HasOwnNormalForm() const { return HasNumbers() || kind == Kind::kUrl; }
  /// About how many features a unit may have.
  [[nodiscard]] uint64_t FeaturesOfUnit() const {
    if (!HasNumbers()) return 1;
    return kind == Kind::kPoint ? kUsualCellsOfPoint : cells.grids;
  }
  bool operator==(const ShingleSpec&) const = default;
};

/// "word:5" -> ShingleSpec; the error says what is allowed.
Result<ShingleSpec> ParseShingle(std::string_view text);

/// The text that ParseShingle turns into this spec.
std::string ToString(const ShingleSpec& spec);

/// How repeated shingles count.
enum class Bag : uint8_t {
  kOff,  ///< Once: sets.
  kMax,  ///< Each time: of two counts the lesser is common, the greater is in the union.
  kSum,  ///< The same, but all of both counts are in the union: a bag has 1/2 with itself.
};

/// How a shingle becomes a number of 64 bits.
enum class ShingleHash : uint8_t {
  kMixer,  ///< A hash of the hashes of its units.
  kRabin,  ///< Rabin's fingerprint of its bytes, then mixed.
};

/// Everything that decides the features of a text.
struct FeatureSpec {
  ShingleSpec shingle = {};
  HtmlMode pages = HtmlMode::kAuto;  ///< Taken before the normal form is made.
  NormalForm normal_form = {};
  bool dictionaries = false;  ///< Words as ICU's dictionaries have them.
  Bag bag = Bag::kOff;
  ShingleHash hash = ShingleHash::kMixer;
  bool narrow = false;  ///< Hashes of 32 bits, as others store them.
  /// Of stopword:N. None: the English list.
  std::shared_ptr<const StopWords> stop_words = nullptr;
  std::string stop_words_name = "en";  ///< Names their content: a list, or a hash.
  /// What units weigh; none: each feature weighs 1.
  std::shared_ptr<const WeightTable> weights = nullptr;
  std::string weights_name = {};  ///< Names their content.
  double weight_unit = 1;         ///< What is counted as 1.
  Ratings ratings = {};           ///< Of `item`. With stars, bag is not kOff.
  uint64_t seed = 0;

  /// Whether a feature may count more or less than once.
  [[nodiscard]] bool HasWeights() const {
    return weights || bag != Bag::kOff || ratings.how == Ratings::How::kWeights;
  }
  /// How pages are taken: lists and numbers are none, whatever else they look like.
  [[nodiscard]] HtmlMode PagesToRead() const {
    return shingle.HasNumbers() || shingle.kind == ShingleSpec::Kind::kItem ? HtmlMode::kOff
                                                                            : pages;
  }

  /// What texts are brought to before they are read.
  [[nodiscard]] NormalForm FormToRead() const {
    return shingle.HasOwnNormalForm() ? NormalForm{0} : normal_form;
  }
};

/// All of it but the seed, in one line: "word:5", with what differs from the default behind it.
std::string ToString(const FeatureSpec& spec);

/// What the texts are that have such features.
TextForm FormOfTexts(const FeatureSpec& spec);

/// What is asked of the weights of items.
ItemWeights WeightsOfItems(const FeatureSpec& spec);

/// Whether a text that was read can be one of these.
bool NamesFeatures(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_
