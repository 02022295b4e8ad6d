// The specification of an item's features: everything that decides them, as plain data.
#ifndef LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_
#define LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/item_text.h"
#include "stages/features/items.h"
#include "stages/features/points.h"
#include "stages/features/stop_words.h"
#include "stages/features/weights.h"
#include "stages/normalize/html_mode.h"
#include "stages/normalize/normal_form.h"

namespace lookalike {

/// Typical number of cells in the ball around a point, for use while it is not known.
inline constexpr uint64_t kUsualCellsOfPoint = 64;

/// A shingle definition: a run of units, and whether all runs count or only some.
struct ShingleSpec {
  enum class Kind : uint8_t {
    kWord,      ///< word:N, N words.
    kChar,      ///< char:N, N code points, white space folded.
    kByte,      ///< byte:N, N bytes.
    kCode,      ///< code:N, N tokens of source code.
    kStopWord,  ///< stopword:N, a stop word and the N words after it.
    kWinnow,    ///< winnow:K,W, one of every W consecutive runs of K code points.
    kUrl,       ///< url:N, N tokens of a URL.
    kPoint,     ///< point:R,Q, the cells of width Q around each point.
    kCells,     ///< cells:W,M, the cell of each point in each of M shifted grids of width W.
    kSeries,    ///< series:L,W,M, the same for each L consecutive numbers.
    kItem,      ///< item, one item of a list.
  };
  Kind kind = Kind::kWord;
  uint32_t length = 5;  ///< N, K or L, from 1 to 64 (stopword: to 63); 1 for points and items.
  uint32_t window = 1;  ///< W of winnow, from 1 to 4096; otherwise unused and 1.
  CellRule cells = {};  ///< For points and series.

  /// Returns the number of units in one shingle.
  [[nodiscard]] uint32_t units() const { return kind == Kind::kStopWord ? length + 1 : length; }
  /// True if its units are code points; a run of white space counts as one.
  [[nodiscard]] bool HasCharacters() const { return kind == Kind::kChar || kind == Kind::kWinnow; }
  /// True if its texts are lists of numbers.
  [[nodiscard]] bool HasNumbers() const {
    return kind == Kind::kPoint || kind == Kind::kCells || kind == Kind::kSeries;
  }
  /// True if it reads texts as they are, after repair.
  [[nodiscard]] bool HasOwnNormalForm() const { return HasNumbers() || kind == Kind::kUrl; }
  /// Returns about how many features a unit may have.
  [[nodiscard]] uint64_t FeaturesOfUnit() const {
    if (!HasNumbers()) return 1;
    return kind == Kind::kPoint ? kUsualCellsOfPoint : cells.grids;
  }
  bool operator==(const ShingleSpec&) const = default;
};

/// Parses "word:5" into a ShingleSpec; the error says what is allowed.
Result<ShingleSpec> ParseShingle(std::string_view text);

/// Returns the text that ParseShingle turns into this spec.
std::string ToString(const ShingleSpec& spec);

/// The way in which repeated shingles count.
enum class Bag : uint8_t {
  kOff,  ///< Once: sets.
  kMax,  ///< Each time: the lesser of two counts is common, the greater is in the union.
  kSum,  ///< The same, but the union has the sum of both counts: a bag scores 1/2 with itself.
};

/// The hash that turns a shingle into 64 bits.
enum class ShingleHash : uint8_t {
  kMixer,  ///< A hash of the hashes of its units.
  kRabin,  ///< Rabin's fingerprint of its bytes, then mixed.
};

/// Everything that decides the features of a text.
struct FeatureSpec {
  ShingleSpec shingle = {};
  HtmlMode pages = HtmlMode::kAuto;  ///< Applied before normalisation.
  NormalForm normal_form = {};
  bool dictionaries = false;  ///< Split words by ICU's dictionaries.
  Bag bag = Bag::kOff;
  ShingleHash hash = ShingleHash::kMixer;
  bool narrow = false;  ///< 32-bit hashes, as other tools store them.
  /// For stopword:N. Null: the English list.
  std::shared_ptr<const StopWords> stop_words = nullptr;
  std::string stop_words_name = "en";  ///< Name of their content: a list or a hash.
  /// Weights of the units. Null: each feature weighs 1.
  std::shared_ptr<const WeightTable> weights = nullptr;
  std::string weights_name = {};  ///< The name of the table's content.
  double weight_unit = 1;         ///< The weight that counts as 1.
  Ratings ratings = {};           ///< For `item`. With stars, bag is not kOff.
  uint64_t seed = 0;

  /// True if a feature may count more or less than once.
  [[nodiscard]] bool HasWeights() const {
    return weights || bag != Bag::kOff || ratings.how == Ratings::How::kWeights;
  }
  /// Returns how to read pages: lists and numbers are never pages, whatever they look like.
  [[nodiscard]] HtmlMode PagesToRead() const {
    return shingle.HasNumbers() || shingle.kind == ShingleSpec::Kind::kItem ? HtmlMode::kOff
                                                                            : pages;
  }

  /// Returns the normal form that texts are brought to before they are read.
  [[nodiscard]] NormalForm FormToRead() const {
    return shingle.HasOwnNormalForm() ? NormalForm{0} : normal_form;
  }
};

/// Returns the whole spec except the seed in one line: "word:5", followed by whatever differs from
/// the default.
std::string ToString(const FeatureSpec& spec);

/// Returns the form of the texts that have these features.
TextForm FormOfTexts(const FeatureSpec& spec);

/// Returns the rule for the weights of items.
ItemWeights WeightsOfItems(const FeatureSpec& spec);

/// True if `text` can be the ToString() of a FeatureSpec.
bool NamesFeatures(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_FEATURE_SPEC_H_
