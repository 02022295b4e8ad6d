#include "options/feature_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_system.h"
#include "io/whole_file.h"
#include "stages/normalize/normalizer.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

constexpr size_t kLargestList = size_t{16} << 20, kLargestTable = size_t{1} << 30;

/// Most units of one feature: more would make sets of documents far larger than the documents.
constexpr double kMostUnits = 1024;

bool HasWords(Kind kind) { return kind == Kind::kWord || kind == Kind::kStopWord; }

Result<std::string> ReadTable(std::string_view option, const std::string& path, size_t largest,
                              std::string_view instead) {
  auto text = ReadWholeFile(path, RealFileSystem());
  if (!text)
    return OptionError(fmt::format("$<{}>: {}; {}", option, text.error().what, instead), path);
  if (text->size() > largest) {
    return OptionError(
        fmt::format("$<{}> is larger than {} MiB; {}", option, largest >> 20, instead), path);
  }
  return text;
}

std::string NameOfContent(std::string_view text) {
  return fmt::format("xxh3-{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// Reads a file of stop words. It is named by its content, so that two files of one name are
/// distinct.
Status TakeFile(const std::string& path, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadTable("stop-words", path, kLargestList,
                                                               "give a text file, a word a line"));
  Normalizer normalizer;
  StopWords words = StopWords::OfLines(normalizer.Run(text));
  if (words.size() == 0) return OptionError("$<stop-words> has no words; give a word a line", path);
  spec->stop_words = std::make_shared<const StopWords>(std::move(words));
  spec->stop_words_name = NameOfContent(text);
  return {};
}

Status TakeStopWords(const Options& options, FeatureSpec* spec) {
  if (IsTablePath(options.stop_words)) return TakeFile(options.stop_words, spec);
  LOOKALIKE_ASSIGN_OR_RETURN(spec->stop_words, StopWords::Named(options.stop_words));
  spec->stop_words_name = options.stop_words;
  return {};
}

/// Checks that a table of weights can be combined with the other options.
Status CheckUseOfWeights(const Options& options, Kind kind) {
  if (options.ratings == "weights") {
    return OptionError(
        "$<weights> and $<ratings=weights> both say what items weigh; give one of them");
  }
  if (!HasWords(kind) && kind != Kind::kCode && kind != Kind::kItem) {
    return OptionError("$<weights> has no use with $<shingle=" + options.shingle +
                       ">, which has no words; give word:N, stopword:N, code:N or item");
  }
  if (options.ratings.starts_with("liked")) {
    return OptionError(
        "$<weights> has no use with $<ratings=liked:X,Y>, which makes two items of each; "
        "leave one of them out");
  }
  if (IsTablePath(options.weights)) return {};
  return OptionError("$<weights='" + options.weights +
                     "'> is not allowed; give off, or the path of a file, such as ./weights.tsv");
}

/// Reads a table of weights. Words are normalised like the texts in which they are looked up.
Status TakeTable(const Options& options, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(
      const std::string text,
      ReadTable("weights", options.weights, kLargestTable,
                "give a text file of lines word, tab, weight, as $(weights) writes it"));
  Normalizer normalizer(spec->normal_form);
  const auto fold = [&](std::string_view word) { return std::string(normalizer.Run(word)); };
  LOOKALIKE_ASSIGN_OR_RETURN(
      WeightTable table,
      WeightTable::OfLines(text, options.weights, fold, kMostUnits * options.weight_unit));
  if (table.size() == 0) {
    return OptionError("$<weights> has no words; give lines word, tab, weight", options.weights);
  }
  spec->weights = std::make_shared<const WeightTable>(std::move(table));
  spec->weights_name = NameOfContent(text);
  return {};
}

Status TakeWeights(const Options& options, FeatureSpec* spec) {
  LOOKALIKE_RETURN_IF_ERROR(CheckWeightUnit(options));
  spec->weight_unit = options.weight_unit;
  if (options.weights != "off") {
    LOOKALIKE_RETURN_IF_ERROR(CheckUseOfWeights(options, spec->shingle.kind));
    return TakeTable(options, spec);
  }
  if (options.weight_unit == 1 || options.ratings == "weights") return {};
  return OptionError(
      "$<weight-unit> has no use without weights; give a table by $<weights>, or "
      "$<ratings=weights>");
}

Status TakeSegmentation(const Options& options, FeatureSpec* spec) {
  spec->dictionaries = options.segment == "icu";
  if (!spec->dictionaries && options.segment != "script") {
    return OptionError("$<segment='" + options.segment + "'> is not allowed; give script or icu");
  }
  if (!spec->dictionaries || HasWords(spec->shingle.kind)) return {};
  return OptionError("$<segment=icu> has no use with $<shingle=" + options.shingle +
                     ">, which has no words; give word:N or stopword:N");
}

/// Checks that a normal form is not combined with kinds of shingle that read texts as they are.
Status CheckNormalForm(const Options& options, const FeatureSpec& spec) {
  if (!spec.shingle.HasOwnNormalForm() || spec.normal_form == NormalForm{}) return {};
  return OptionError("$<normalize> has no use with $<shingle=" + options.shingle +
                     ">, which reads " + (spec.shingle.HasNumbers() ? "numbers" : "URLs") +
                     "; leave it out");
}

Status TakeCounting(const Options& options, FeatureSpec* spec) {
  constexpr std::pair<std::string_view, Bag> kBags[] = {
      {"off", Bag::kOff}, {"max", Bag::kMax}, {"sum", Bag::kSum}};
  const auto* const bag = std::find_if(std::begin(kBags), std::end(kBags), [&](const auto& known) {
    return known.first == options.bag;
  });
  if (bag == std::end(kBags)) {
    return OptionError("$<bag='" + options.bag + "'> is not allowed; give off, max or sum");
  }
  spec->bag = bag->second;
  return {};
}

/// Checks that pages are not combined with lists and numbers, which are read as they are.
Status CheckPages(const Options& options, const FeatureSpec& spec) {
  const bool asked = spec.pages != HtmlMode::kAuto && spec.pages != HtmlMode::kOff;
  if (!asked || spec.PagesToRead() == spec.pages) return {};
  return OptionError("$<pages=" + options.pages + "> has no use with $<shingle=" + options.shingle +
                     ">, which reads no pages; leave it out");
}

/// Reads the ratings. Stars are counts: as a set they would say less than no ratings.
Status TakeRatings(const Options& options, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(spec->ratings, ParseRatings(options.ratings));
  if (spec->ratings == Ratings{}) return {};
  if (spec->shingle.kind != Kind::kItem) {
    return OptionError(
        fmt::format("$<ratings={}> has no use with $<shingle={}>, which has no items; give "
                    "$<shingle=item>",
                    options.ratings, options.shingle));
  }
  const bool stars = spec->ratings.how == Ratings::How::kStars;
  if (stars && spec->bag == Bag::kOff) spec->bag = Bag::kMax;
  return {};
}

Status TakeHash(const Options& options, FeatureSpec* spec) {
  spec->hash = options.hash == "rabin" ? ShingleHash::kRabin : ShingleHash::kMixer;
  if (spec->hash == ShingleHash::kMixer && options.hash != "mixer") {
    return OptionError("$<hash='" + options.hash + "'> is not allowed; give mixer or rabin");
  }
  if (options.feature_bits != 64 && options.feature_bits != 32) {
    return OptionError(
        fmt::format("$<feature-bits='{}'> is not allowed; give 64 or 32", options.feature_bits));
  }
  spec->narrow = options.feature_bits == 32;
  if (spec->hash == ShingleHash::kMixer || !spec->shingle.HasNumbers()) return {};
  return OptionError("$<hash=rabin> has no use with $<shingle=" + options.shingle +
                     ">, whose features are cells, not bytes; leave it out");
}

}  // namespace

bool IsTablePath(const std::string& name) { return name.find_first_of("/.") != std::string::npos; }

Status CheckWeightUnit(const Options& options) {
  if (options.weight_unit >= 1e-9 && options.weight_unit <= 1e9) return {};
  return OptionError(fmt::format(
      "$<weight-unit='{}'> is not allowed; give a number from 1e-9 to 1e9", options.weight_unit));
}

Result<FeatureSpec> ReadFeatureSpec(const Options& options) {
  FeatureSpec spec;
  spec.seed = options.seed;
  LOOKALIKE_ASSIGN_OR_RETURN(spec.shingle, ParseShingle(options.shingle));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.pages, ParseHtmlMode(options.pages));
  LOOKALIKE_RETURN_IF_ERROR(CheckPages(options, spec));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.normal_form, ParseNormalForm(options.normalize));
  LOOKALIKE_RETURN_IF_ERROR(CheckNormalForm(options, spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeSegmentation(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeStopWords(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeWeights(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeCounting(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeRatings(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeHash(options, &spec));
  return spec;
}

Result<FeatureSpec> ReadSetSpec(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(FeatureSpec spec, ReadFeatureSpec(options));
  if (spec.bag != Bag::kSum) return spec;
  // s = m / (1 + m) for the two measures, whatever the bags (MMDS, section 3.1.3).
  const double t = options.threshold;
  const std::string instead = t <= 0.5 ? fmt::format(" $<threshold={}>", t / (1 - t)) : "";
  return OptionError(
      fmt::format("$<bag=sum> is for compare: copies have 1/2 by it, and no pair has more; "
                  "$<bag=max>{} finds the same pairs",
                  instead));
}

}  // namespace lookalike
