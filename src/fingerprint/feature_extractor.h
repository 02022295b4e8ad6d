// The only function from text to features, shared by every command and engine
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
#include "lookalike/status.h"
#include "records/document_batch.h"
#include "records/records.h"
#include "records/text_kind.h"
#include "stages/features/items.h"
#include "stages/features/points.h"
#include "stages/features/urls.h"
#include "stages/features/weights.h"
#include "stages/features/words.h"
#include "stages/normalize/html_text.h"
#include "stages/normalize/normalizer.h"
#include "stages/sketch/sketch_function.h"

namespace lookalike {

/// Version of docs/format/fingerprint-v1.md; a change in any bit of a feature or sketch makes a new
/// version.
inline constexpr uint16_t kFingerprintVersion = 1;

/// Checks that Features() accepts a text: its length and, for kinds of shingle that need a certain
/// form of text, that form. The Error says what is wrong.
Status CheckText(const FeatureSpec& spec, std::string_view text);

/// Returns a function that makes the same check, apart from the length, for readers of records. The
/// function returns why a text is refused, or an empty string. Returns an empty function if every
/// text is accepted.
std::function<std::string(std::string_view)> TextRefusal(const FeatureSpec& spec);

/// Returns how a text of this kind is read under `pages`: kOff, kVisible or kAltaVista.
HtmlMode AppliedMode(HtmlMode pages, TextKind kind);

/// Reads pages by the mode `pages`; other texts are returned as they are. Holds scratch memory; use
/// one per thread.
class PageReader {
 public:
  explicit PageReader(HtmlMode pages) : pages_(pages) {}

  /// Returns the text, valid until the next call and as long as `text` is. `pieces` may be null;
  /// for a page it is filled as by HtmlText::Run.
  std::string_view Read(std::string_view text, TextKind kind,
                        std::vector<HtmlPiece>* pieces = nullptr);

 private:
  HtmlMode pages_;
  std::optional<HtmlText> visible_, altavista_;
};

/// An extractor that turns texts into 64-bit features. Holds scratch memory; use one per thread.
class FeatureExtractor {
 public:
  explicit FeatureExtractor(const FeatureSpec& spec);

  /// Returns the feature stream of `text`: one 64-bit hash per shingle in text order, repetitions
  /// included. If there are fewer units than the shingle's length, but at least one, there is one
  /// feature of all of them, or none for stopword:N. No units: empty. Weighted features are
  /// repeated as often as their weights say, each repetition distinct (ExpandUnits). A unit of
  /// point:R,Q has several features, one for each cell. For items, whose order means nothing, the
  /// stream is sorted and without repetitions. For numeric shingles, parsing stops at the first
  /// malformed number. `kind`: a page is read by FeatureSpec::pages. Valid until the next call.
  /// REQUIRES: CheckText(text) succeeds, except for malformed numbers.
  std::span<const uint64_t> Features(std::string_view text, TextKind kind = TextKind::kUnknown);

  /// Returns the same for text that is already in the spec's FormToRead(). REQUIRES: 64 readable
  /// bytes after its end.
  std::span<const uint64_t> FeaturesOfNormalized(std::string_view normalized);

  /// Returns only the normalised units of a text, in order; makes no features. Valid until the next
  /// call. REQUIRES: CheckText(text).
  std::span<const std::string_view> FindUnitsOf(std::string_view text,
                                                TextKind kind = TextKind::kUnknown);

  /// Returns, for `item`, one feature per item in list order, repetitions included. REQUIRES:
  /// CheckText(list). Throws std::length_error above kMostOccurrences of items.
  std::span<const uint64_t> FeaturesOfItems(std::string_view list);

  /// Returns the bytes that units() refers to for the last list: each item normalised, after its
  /// mark if it has one.
  [[nodiscard]] std::string_view items() const { return {folded_.data(), folded_.size()}; }

  /// Returns the position of each unit in the last list.
  [[nodiscard]] std::span<const ByteSpan> places() const { return places_; }

  /// True if the last text held invalid UTF-8.
  [[nodiscard]] bool replaced_invalid() const { return replaced_invalid_; }

  /// Returns the units of the last normalised text as byte spans, in order. The units of url:N need
  /// not ascend.
  [[nodiscard]] std::span<const ByteSpan> units() const { return units_; }

  /// Returns the first unit of each feature of the last normalised text, ascending.
  [[nodiscard]] std::vector<uint32_t> FirstUnits() const;

  /// Returns the distinct features of the last text with their weights, in units, if the spec has
  /// weights or counts repetitions; otherwise nothing, since each weighs 1. Valid until the next
  /// call.
  [[nodiscard]] WeightedFeatures weighted() const { return {stream_.features, stream_.weights}; }

 private:
  bool HashFolded(std::string_view text);
  std::span<const uint64_t> GivenFeatures(std::string_view text);
  bool HashPart(std::string_view text, size_t* words);
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
  bool plain_words_;  ///< Words in the default normal form: nearly all text takes the fast path.
  PageReader pages_;
  Normalizer normalizer_;
  Normalizer folder_;  ///< Folds single words to look them up.
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
  std::optional<RabinShingles> rabin_;  ///< Replaces unit_hashes_ with ShingleHash::kRabin.
  std::vector<uint64_t> features_;
  std::vector<uint32_t> chosen_;  ///< Positions among all shingles, for kinds that choose some.
  std::vector<double> weights_;   ///< Weight of each shingle, if there is a table.
  WeighedStream stream_;          ///< The features expanded by weight, if they have weights.
  UrlTokens url_;
  PointList points_;
  std::vector<uint32_t> cell_ends_;  ///< Features up to the end of each point or window.
};

/// Returns the hash of a whole feature stream (XXH3-128 of its features, little-endian).
StreamHash HashStream(std::span<const uint64_t> features);

/// Returns the hash of a text's bytes (XXH3-64), which tells identical copies from exact ones.
uint64_t HashText(std::string_view text);

/// Returns these hashes of a document; one that comes as its features brings them along.
StreamHash StreamOf(const Document& document, std::span<const uint64_t> features);
uint64_t TextHashOf(const Document& document);

/// Sorts and removes repetitions: makes the feature *set* over which all measures are taken.
void MakeFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* set);

/// Appends the feature set to other sets. Returns the number of its features. REQUIRES: `features`
/// does not point into `sets`.
size_t AppendFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* sets);

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_FEATURE_EXTRACTOR_H_
