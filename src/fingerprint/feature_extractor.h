// The one function from text to features, shared by every command and engine
// (docs/format/fingerprint-v1.md).
#ifndef LOOKALIKE_FINGERPRINT_FEATURE_EXTRACTOR_H_
#define LOOKALIKE_FINGERPRINT_FEATURE_EXTRACTOR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/feature_spec.h"
#include "fingerprint/rabin_shingles.h"
#include "flow/records.h"
#include "flow/text_kind.h"
#include "lookalike/status.h"
#include "stages/features/items.h"
#include "stages/features/points.h"
#include "stages/features/urls.h"
#include "stages/features/weights.h"
#include "stages/features/words.h"
#include "stages/normalize/html_text.h"
#include "stages/normalize/normalizer.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Of docs/format/fingerprint-v1.md; another bit of any feature or sketch makes a new version.
inline constexpr uint16_t kFingerprintVersion = 1;

/// Whether Features() takes a text: its length, and where a kind of shingle wants texts of a form
/// of its own, that form. The Error says what is wrong of it.
Status CheckText(const FeatureSpec& spec, std::string_view text);

/// The same but for the length, for readers of records: says why a text is refused, or nothing.
/// None where every text will do.
std::function<std::string(std::string_view)> TextRefusal(const FeatureSpec& spec);

/// What of a text of this kind is compared, under `pages`: kOff, kVisible or kAltaVista.
HtmlMode AppliedMode(HtmlMode pages, TextKind kind);

/// The text of pages under `pages`; others are their own. Holds scratch memory; one per thread.
class PageReader {
 public:
  explicit PageReader(HtmlMode pages) : pages_(pages) {}

  /// Valid until the next call, and as long as `text` is. `pieces`, which may be null: as in
  /// HtmlText::Run, for a page.
  std::string_view Read(std::string_view text, TextKind kind,
                        std::vector<HtmlPiece>* pieces = nullptr);

 private:
  HtmlMode pages_;
  std::optional<HtmlText> visible_, altavista_;
};

/// Text -> 64-bit features. Holds scratch memory; one per thread.
class FeatureExtractor {
 public:
  explicit FeatureExtractor(const FeatureSpec& spec);

  /// The feature stream of `text`: one 64-bit hash per shingle in text order, repetitions
  /// included. Fewer units than the shingle's length, but at least one: one feature of all of
  /// them, but none for stopword:N. No units: empty. Where they have weights, each stands there as
  /// often as its weight says, told apart (ExpandUnits). A unit of point:R,Q has several features,
  /// one for each cell. Of items, whose order means nothing, the stream is sorted and without
  /// repetitions. Of a text that is no list of numbers its kinds see what stands before the
  /// mistake. `kind`: a page is read by FeatureSpec::pages. Valid until the next call.
  /// REQUIRES: CheckText(text), or that.
  std::span<const uint64_t> Features(std::string_view text, TextKind kind = TextKind::kUnknown);

  /// The same for text that is already in the spec's FormToRead(). REQUIRES: 64 readable bytes
  /// after its end.
  std::span<const uint64_t> FeaturesOfNormalized(std::string_view normalized);

  /// The units of a text alone, in order, as they are when normalised: no features are made. Valid
  /// until the next call. REQUIRES: CheckText(text).
  std::span<const std::string_view> FindUnitsOf(std::string_view text,
                                                TextKind kind = TextKind::kUnknown);

  /// For `item`: one feature per item in the order of the list, repetitions included. REQUIRES:
  /// CheckText(list). Throws std::length_error above kMostOccurrences of items.
  std::span<const uint64_t> FeaturesOfItems(std::string_view list);

  /// The last list as units() counts its bytes: each item normalised, behind its mark if it has
  /// one.
  [[nodiscard]] std::string_view items() const { return {folded_.data(), folded_.size()}; }

  /// Where each unit of the last list stands in it.
  [[nodiscard]] std::span<const ByteSpan> places() const { return places_; }

  /// Whether the last text held invalid UTF-8.
  [[nodiscard]] bool replaced_invalid() const { return replaced_invalid_; }

  /// The units of the last normalised text, as its bytes, in order. Those of url:N need not ascend.
  [[nodiscard]] std::span<const ByteSpan> units() const { return units_; }

  /// The first unit of each feature of the last normalised text, ascending.
  [[nodiscard]] std::vector<uint32_t> FirstUnits() const;

  /// The distinct features of the last text with their weights, in units, where the spec has
  /// weights or counts repetitions; else nothing, as each weighs 1. Valid until the next call.
  [[nodiscard]] WeightedFeatures weighted() const { return {stream_.features, stream_.weights}; }

 private:
  bool HashFolded(std::string_view text);
  void ForgetLongText(size_t next);
  void FindUnits(std::string_view normalized);
  void FindItems(std::string_view list);
  void HashUnits(std::string_view normalized);
  void HashTokens(const char* text, std::span<const ByteSpan> tokens);
  size_t HashPoints();
  void AddUnits(const char* text, std::span<const ByteSpan> units);
  std::span<const uint64_t> HashShingles();
  std::span<const uint64_t> Finish(size_t count);
  size_t HashAllShingles();
  size_t HashRabinShingles();
  bool IsStopWord(const ByteSpan& word);
  size_t ChooseStopWords(size_t shingles);
  size_t KeepChosen();
  void WeighShingles(size_t count);
  [[nodiscard]] std::vector<uint32_t> FirstUnitsOfShingles() const;

  FeatureSpec spec_;
  bool plain_words_;  ///< Words of the default form: nearly all text takes the short way.
  PageReader pages_;
  Normalizer normalizer_;
  Normalizer folder_;  ///< Of single words, to look them up.
  std::string_view normalized_;
  bool replaced_invalid_ = false;
  std::vector<char> folded_;
  std::vector<uint32_t> edges_;
  std::vector<ByteSpan> units_;
  std::vector<std::string_view> unit_texts_;
  std::vector<ListItem> items_;
  std::vector<ByteSpan> places_;
  std::vector<double> item_weights_;
  std::vector<char32_t> characters_;
  std::vector<uint64_t> unit_hashes_;
  std::optional<RabinShingles> rabin_;  ///< In their place, with that hash.
  std::vector<uint64_t> features_;
  std::vector<uint32_t> chosen_;  ///< Positions among all shingles; of kinds that choose.
  std::vector<double> weights_;   ///< Of each shingle, where there is a table.
  WeighedStream stream_;          ///< What they stand for, where they have weights.
  UrlTokens url_;
  PointList points_;
  std::vector<uint32_t> cell_ends_;  ///< Features up to the end of each point or window.
};

/// Hash of a whole feature stream (XXH3-128 of its features, little-endian).
StreamHash HashStream(std::span<const uint64_t> features);

/// Sorts and removes repetitions: the feature *set* over which all measures are taken.
void MakeFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* set);

/// Appends that set to others. Returns how many features it has. REQUIRES: `features` are not in
/// `sets`.
size_t AppendFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* sets);

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_FEATURE_EXTRACTOR_H_
