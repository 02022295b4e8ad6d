#include "fingerprint/feature_extractor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <stdexcept>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fingerprint/unicode_fold.h"
#include "kernels/fold.h"
#include "kernels/kernels.h"
#include "kernels/long_word.h"
#include "records/feature_text.h"
#include "records/weight_sum.h"
#include "stages/features/code_tokens.h"
#include "stages/features/segments.h"
#include "stages/features/winnow.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

uint64_t HashCharacter(char32_t c) {
  uint64_t x = (static_cast<uint64_t>(c) ^ kWord2) * kWord1;
  x ^= x >> 32;
  x *= kWord2;
  return x ^ (x >> 29);
}

/// Returns the upper 32 bits of a hash, spread over 64 bits again because sketches need that.
uint64_t Narrow(uint64_t feature) {
  uint64_t x = (feature >> 32) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  return x ^ x >> 31;
}

void FindBytes(std::string_view text, std::vector<ByteSpan>* units) {
  units->resize(text.size());
  for (uint32_t i = 0; i < text.size(); ++i) (*units)[i] = {i, i + 1};
}

void HashBytes(std::string_view text, uint64_t* hashes) {
  static const std::array<uint64_t, 256>& table = *new std::array<uint64_t, 256>([] {
    std::array<uint64_t, 256> made;
    for (uint32_t byte = 0; byte < made.size(); ++byte) made[byte] = HashCharacter(byte);
    return made;
  }());
  for (const char byte : text) *hashes++ = table[static_cast<unsigned char>(byte)];
}

static_assert(sizeof(ByteSpan) == 2 * sizeof(uint32_t), "words have their ends as such pairs");

/// Returns, for each feature, the number of its point or window.
std::vector<uint32_t> FirstNumbers(std::span<const uint32_t> ends) {
  std::vector<uint32_t> first(ends.empty() ? 0 : ends.back());
  for (uint32_t i = 0, at = 0; i < ends.size(); ++i) {
    while (at < ends[i]) first[at++] = i;
  }
  return first;
}

bool IsAsciiWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns the first part of a text, to be folded at once. It ends after white space and before an
/// ASCII letter or digit, where a word ends and no code points combine; a text without such a place
/// is one part.
std::string_view FirstPart(std::string_view text) {
  constexpr size_t kPartBytes = size_t{1} << 20;
  for (size_t end = kPartBytes; end < text.size(); ++end) {
    const char before = text[end - 1];
    const bool blank = before == ' ' || before == '\n' || before == '\t' || before == '\r';
    if (blank && IsAsciiWord(text[end])) return text.substr(0, end);
  }
  return text;
}

bool Chooses(Kind kind) { return kind == Kind::kStopWord || kind == Kind::kWinnow; }

}  // namespace

FeatureExtractor::FeatureExtractor(const FeatureSpec& spec)
    : spec_(spec),
      plain_words_((spec.shingle.kind == Kind::kWord) && spec.normal_form == NormalForm{} &&
                   !spec.dictionaries && !spec.weights),
      pages_(spec.PagesToRead()),
      normalizer_(spec.FormToRead()) {
  if (spec_.shingle.kind == Kind::kStopWord && !spec_.stop_words) {
    spec_.stop_words = *StopWords::Named("en");
  }
  if (spec_.hash == ShingleHash::kRabin) rabin_.emplace(spec_.seed);
}

std::function<std::string(std::string_view)> TextRefusal(const FeatureSpec& spec) {
  if (!spec.shingle.HasNumbers()) return {};
  return [rule = spec.shingle.cells](std::string_view text) {
    PointList points;
    const Status status = ReadPoints(text, rule, &points);
    return status ? std::string() : status.error().what;
  };
}

namespace {

/// Checks a list that was passed as text by the rules that readers apply to lists.
Status CheckList(const FeatureSpec& spec, std::string_view text) {
  const ItemWeights rule = WeightsOfItems(spec);
  if (rule.kind == ItemWeights::kAny) return {};
  std::vector<ListItem> items;
  ReadItems(text, &items);
  WeightSum sum(rule);
  for (size_t i = 0; i < items.size(); ++i) {
    const ListItem& item = items[i];
    const std::string why = item.has_weight ? sum.Add(item.weight, fmt::format("{}", item.weight))
                                            : "has no rating; every item needs one";
    if (!why.empty()) return InputError(fmt::format("item {} {}", i + 1, why));
  }
  return {};
}

}  // namespace

Status CheckText(const FeatureSpec& spec, std::string_view text) {
  if (text.size() > kLargestText) {
    return InputError("a text of " + std::to_string(text.size()) +
                      " bytes is too long; the limit is " + std::to_string(kLargestText) +
                      "; shorten it or leave it out");
  }
  if (spec.shingle.kind == Kind::kItem) return CheckList(spec, text);
  const auto refusal = TextRefusal(spec);
  const std::string why = refusal ? refusal(text) : std::string();
  return why.empty() ? Status() : InputError(why);
}

HtmlMode AppliedMode(HtmlMode pages, TextKind kind) {
  if (kind == TextKind::kPlain) return HtmlMode::kOff;
  if (pages != HtmlMode::kAuto) return pages;
  return kind == TextKind::kHtml ? HtmlMode::kVisible : HtmlMode::kOff;
}

std::string_view PageReader::Read(std::string_view text, TextKind kind,
                                  std::vector<HtmlPiece>* pieces) {
  if (kind == TextKind::kFeatures) return {};
  const HtmlMode mode = AppliedMode(pages_, kind);
  if (mode == HtmlMode::kOff) return text;
  std::optional<HtmlText>& reader = mode == HtmlMode::kVisible ? visible_ : altavista_;
  if (!reader) reader.emplace(mode);
  return reader->Run(text, pieces);
}

// Nearly all text can be folded code point by code point. A long one is folded in parts, because
// the ends of its words may need four times its own memory.
bool FeatureExtractor::HashFolded(std::string_view text) {
  if (rabin_) rabin_->Clear();
  size_t words = 0;
  do {
    const std::string_view part = FirstPart(text);
    if (!HashPart(part, &words)) return false;
    text.remove_prefix(part.size());
  } while (!text.empty());
  if (!rabin_) unit_hashes_.resize(words);
  return true;
}

/// Hashes the words of a part of a text, to follow on the `words` before.
bool FeatureExtractor::HashPart(std::string_view text, size_t* words) {
  const size_t room = FoldRoom(text.size());
  if (folded_.size() < room) {
    folded_.resize(room);
    edges_.resize(room);
  }
  const size_t found = FoldWords(text, UnicodeFold(), folded_.data(), edges_.data());
  if (found == kNotFolded) return false;
  if (rabin_) {
    AddUnits(folded_.data(), {reinterpret_cast<const ByteSpan*>(edges_.data()), found});
    return true;
  }
  if (unit_hashes_.size() < *words + found) unit_hashes_.resize(*words + found);
  HashWords(folded_.data(), edges_.data(), found, unit_hashes_.data() + *words);
  *words += found;
  return true;
}

// The separators distinguish a shingle of fewer units from every full-length one. The seed is mixed
// in as below, because the fingerprint of a string shorter than the polynomial is the string
// itself.
size_t FeatureExtractor::HashRabinShingles() {
  const size_t units = rabin_->units();
  const size_t wanted = spec_.shingle.units();
  if (units == 0 || (units < wanted && spec_.shingle.kind == Kind::kStopWord)) return 0;
  const size_t window = std::min(wanted, units);
  const size_t shingles = units - window + 1;
  if (features_.size() < shingles + 8) features_.resize(shingles + 8);
  unit_hashes_.resize(shingles);
  rabin_->Fingerprints(window, unit_hashes_.data());
  HashWindows(unit_hashes_.data(), shingles, 1, spec_.seed * kWord0, features_.data());
  return shingles;
}

size_t FeatureExtractor::HashAllShingles() {
  if (rabin_) return HashRabinShingles();
  const size_t count = unit_hashes_.size();
  if (count == 0) return 0;
  uint64_t mask = spec_.seed * kWord0;
  const size_t window = spec_.shingle.units();
  if (count < window) {
    if (spec_.shingle.kind == Kind::kStopWord) return 0;
    // One shingle of all units, distinct from every full-length one.
    mask ^= count * kWord2;
    unit_hashes_.resize(window, 0);
  }
  const size_t shingles = unit_hashes_.size() - window + 1;
  if (features_.size() < shingles + 8) features_.resize(shingles + 8);
  HashWindows(unit_hashes_.data(), unit_hashes_.size(), window, mask, features_.data());
  return shingles;
}

bool FeatureExtractor::IsStopWord(const ByteSpan& word) {
  const std::string_view text = normalized_.substr(word.begin, word.end - word.begin);
  return spec_.stop_words->Has(spec_.normal_form == NormalForm{} ? text : folder_.Run(text));
}

size_t FeatureExtractor::ChooseStopWords(size_t shingles) {
  chosen_.clear();
  for (uint32_t i = 0; i < shingles; ++i) {
    if (IsStopWord(units_[i])) chosen_.push_back(i);
  }
  return KeepChosen();
}

size_t FeatureExtractor::KeepChosen() {
  for (size_t i = 0; i < chosen_.size(); ++i) features_[i] = features_[chosen_[i]];
  return chosen_.size();
}

std::span<const uint64_t> FeatureExtractor::HashShingles() {
  size_t count = HashAllShingles();
  if (spec_.shingle.kind == Kind::kStopWord) {
    count = ChooseStopWords(count);
  } else if (spec_.shingle.kind == Kind::kWinnow) {
    ChooseByWinnowing({features_.data(), count}, spec_.shingle.window, &chosen_);
    count = KeepChosen();
  }
  return Finish(count);
}

std::span<const uint64_t> FeatureExtractor::Finish(size_t count) {
  const std::span<uint64_t> features(features_.data(), count);
  if (spec_.narrow) std::transform(features.begin(), features.end(), features.begin(), Narrow);
  if (!spec_.HasWeights()) return features;
  if (spec_.weights || spec_.ratings.how == Ratings::How::kWeights) WeighShingles(count);
  ExpandUnits(features, weights_, {spec_.weight_unit, spec_.bag != Bag::kOff}, &stream_);
  return stream_.units;
}

// The weight of a shingle is the average weight of its units, so that its length does not matter.
// The sum is computed from scratch for each, so that equal shingles have equal weights wherever
// they occur.
void FeatureExtractor::WeighShingles(size_t count) {
  std::vector<double> of_units(units_.size());
  for (size_t i = 0; i < units_.size(); ++i) {
    const std::string_view unit =
        normalized_.substr(units_[i].begin, units_[i].end - units_[i].begin);
    of_units[i] = spec_.weights ? spec_.weights->Of(unit) : item_weights_[i];
  }
  weights_.resize(count);
  const size_t length = std::min<size_t>(spec_.shingle.units(), units_.size());
  const std::vector<uint32_t> first = FirstUnitsOfShingles();
  for (size_t i = 0; i < count; ++i) {
    const auto begin = of_units.begin() + static_cast<ptrdiff_t>(first[i]);
    weights_[i] = std::accumulate(begin, begin + static_cast<ptrdiff_t>(length), 0.0) /
                  static_cast<double>(length);
  }
}

std::vector<uint32_t> FeatureExtractor::FirstUnits() const {
  if (!spec_.HasWeights()) return FirstUnitsOfShingles();
  const std::vector<uint32_t> of_shingles = FirstUnitsOfShingles();
  if (of_shingles.empty()) return {};  // the fast path does not find words as units
  std::vector<uint32_t> first(stream_.places.size());
  std::transform(stream_.places.begin(), stream_.places.end(), first.begin(),
                 [&](uint32_t place) { return of_shingles[place]; });
  return first;
}

std::vector<uint32_t> FeatureExtractor::FirstUnitsOfShingles() const {
  if (Chooses(spec_.shingle.kind)) return chosen_;
  if (spec_.shingle.HasNumbers()) return FirstNumbers(cell_ends_);
  const size_t window = spec_.shingle.units();
  std::vector<uint32_t> first(units_.size() < window ? std::min<size_t>(units_.size(), 1)
                                                     : units_.size() - window + 1);
  std::iota(first.begin(), first.end(), 0U);
  return first;
}

/// Splits a list into units. Each item is normalised separately, so that no step can join two
/// items.
void FeatureExtractor::FindItems(std::string_view list) {
  constexpr size_t kPadding = 64;  // HashWords may read this far past the end
  ReadItems(list, &items_);
  folded_.clear();
  units_.clear();
  places_.clear();
  item_weights_.clear();
  replaced_invalid_ = false;
  for (const ListItem& item : items_) {
    const auto [mark, times] = Rate(spec_.ratings, item);
    const auto text = list.substr(item.text.begin, item.text.end - item.text.begin);
    const std::string_view normalized = normalizer_.Run(text);
    replaced_invalid_ = replaced_invalid_ || normalizer_.replaced_invalid();
    if (times == 0 || normalized.empty()) continue;
    const auto begin = static_cast<uint32_t>(folded_.size());
    folded_.insert(folded_.end(), mark.begin(), mark.end());
    folded_.insert(folded_.end(), normalized.begin(), normalized.end());
    if (spec_.ratings.how == Ratings::How::kStars && units_.size() + times > kMostOccurrences) {
      throw std::length_error("the items of a list have too many stars in total");
    }
    units_.insert(units_.end(), times, {begin, static_cast<uint32_t>(folded_.size())});
    places_.insert(places_.end(), times, item.text);
    item_weights_.insert(item_weights_.end(), times, item.weight);
  }
  folded_.insert(folded_.end(), kPadding, '\0');
}

std::span<const uint64_t> FeatureExtractor::FeaturesOfItems(std::string_view list) {
  FindItems(list);
  normalized_ = items();
  HashUnits(normalized_);
  return HashShingles();
}

/// Frees the memory of a very long text, which would otherwise stay allocated.
void FeatureExtractor::ForgetLongText(size_t next) {
  constexpr size_t kLong = size_t{4} << 20, kMuchLonger = 8;
  const size_t held = std::max({folded_.capacity(), units_.capacity(), features_.capacity()});
  if (held < std::max(kLong, kMuchLonger * next)) return;
  folded_ = {};
  edges_ = {};
  units_ = {};
  characters_ = {};
  unit_hashes_ = {};
  features_ = {};
  chosen_ = {};
  weights_ = {};
  stream_ = {};
}

std::span<const uint64_t> FeatureExtractor::Features(std::string_view text, TextKind kind) {
  if (kind == TextKind::kFeatures) return GivenFeatures(text);
  ForgetLongText(text.size());
  text = pages_.Read(text, kind);
  if (spec_.shingle.kind == Kind::kItem) {
    const size_t count = FeaturesOfItems(text).size();
    std::vector<uint64_t>& features = spec_.HasWeights() ? stream_.units : features_;
    SortValues(features.data(), count);
    const auto end =
        std::unique(features.begin(), features.begin() + static_cast<ptrdiff_t>(count));
    return {features.data(), static_cast<size_t>(end - features.begin())};
  }
  if (plain_words_ && HashFolded(text)) {
    replaced_invalid_ = false;
    return HashShingles();
  }
  const std::string_view normalized = normalizer_.Run(text);
  replaced_invalid_ = normalizer_.replaced_invalid();
  return FeaturesOfNormalized(normalized);
}

// The bytes may begin anywhere, so that they are copied to where numbers may be read.
std::span<const uint64_t> FeatureExtractor::GivenFeatures(std::string_view text) {
  const std::string_view bytes = FeatureText::Decode(text).features;
  features_.resize(std::max(features_.size(), bytes.size() / sizeof(uint64_t)));
  if (!bytes.empty()) std::memcpy(features_.data(), bytes.data(), bytes.size());
  replaced_invalid_ = false;
  return std::span(features_).first(bytes.size() / sizeof(uint64_t));
}

std::span<const std::string_view> FeatureExtractor::FindUnitsOf(std::string_view text,
                                                                TextKind kind) {
  const std::string_view normalized = normalizer_.Run(pages_.Read(text, kind));
  replaced_invalid_ = normalizer_.replaced_invalid();
  FindUnits(normalized);
  unit_texts_.clear();
  for (const auto [begin, end] : units_)
    unit_texts_.push_back(normalized.substr(begin, end - begin));
  return unit_texts_;
}

/// Splits text into units. This is the only function that does.
void FeatureExtractor::FindUnits(std::string_view normalized) {
  switch (spec_.shingle.kind) {
    case Kind::kByte:
      return FindBytes(normalized, &units_);
    case Kind::kChar:
    case Kind::kWinnow:
      return FindCharacters(normalized, &characters_, &units_);
    case Kind::kCode:
      return FindCodeTokens(normalized, &units_);
    case Kind::kUrl:
      FindUrlTokens(normalized, &url_);
      units_ = url_.spans;
      return;
    case Kind::kPoint:
    case Kind::kCells:
    case Kind::kSeries:
      (void)ReadPoints(normalized, spec_.shingle.cells, &points_);  // CheckText reported any error
      units_ = points_.spans;
      return;
    case Kind::kItem:
      return;  // FindItems has done it, item by item
    case Kind::kWord:
    case Kind::kStopWord:
      return (spec_.dictionaries ? FindSegments : FindWords)(normalized, &units_);
  }
}

void FeatureExtractor::HashUnits(std::string_view normalized) {
  if (rabin_) rabin_->Clear();
  if (spec_.shingle.kind == Kind::kUrl) return HashTokens(url_.text.data(), url_.tokens);
  if (rabin_) return AddUnits(normalized.data(), units_);
  unit_hashes_.resize(units_.size());
  if (spec_.shingle.kind == Kind::kByte) return HashBytes(normalized, unit_hashes_.data());
  if (spec_.shingle.HasCharacters()) {
    std::transform(characters_.begin(), characters_.end(), unit_hashes_.begin(), HashCharacter);
    return;
  }
  HashTokens(normalized.data(), units_);
}

void FeatureExtractor::HashTokens(const char* text, std::span<const ByteSpan> tokens) {
  if (rabin_) return AddUnits(text, tokens);
  unit_hashes_.resize(tokens.size());
  HashWords(text, reinterpret_cast<const uint32_t*>(tokens.data()), tokens.size(),
            unit_hashes_.data());
}

// A point's features are hashes of its cells, not runs of units.
size_t FeatureExtractor::HashPoints() {
  features_.clear();
  cell_ends_.clear();
  AppendCells(points_, spec_.shingle.cells, spec_.seed, &features_, &cell_ends_);
  return features_.size();
}

void FeatureExtractor::AddUnits(const char* text, std::span<const ByteSpan> units) {
  for (size_t i = 0; i < units.size(); ++i) {
    const bool blank =
        spec_.shingle.HasCharacters() && characters_[i] == U' ';  // white space of any kind
    const std::string_view unit(text + units[i].begin, units[i].end - units[i].begin);
    rabin_->Add(blank ? " " : unit);
  }
}

std::span<const uint64_t> FeatureExtractor::FeaturesOfNormalized(std::string_view normalized) {
  normalized_ = normalized;
  FindUnits(normalized);
  if (spec_.shingle.HasNumbers()) return Finish(HashPoints());
  HashUnits(normalized);
  return HashShingles();
}

StreamHash HashStream(std::span<const uint64_t> features) {
  const XXH128_hash_t hash = XXH3_128bits(features.data(), features.size_bytes());
  return {hash.low64, hash.high64};
}

StreamHash StreamOf(const Document& document, std::span<const uint64_t> features) {
  if (document.kind == TextKind::kFeatures) return FeatureText::Decode(document.text).stream;
  return HashStream(features);
}

uint64_t TextHashOf(const Document& document) {
  if (document.kind == TextKind::kFeatures) return FeatureText::Decode(document.text).text_hash;
  return HashText(document.text);
}

uint64_t HashText(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

void MakeFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* set) {
  set->clear();
  AppendFeatureSet(features, set);
}

size_t AppendFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* sets) {
  const auto begin = sets->insert(sets->end(), features.begin(), features.end());
  SortValues(sets->data() + (begin - sets->begin()), features.size());
  const auto end = std::unique(begin, sets->end());
  const auto size = static_cast<size_t>(end - begin);
  sets->erase(end, sets->end());
  return size;
}

}  // namespace lookalike
