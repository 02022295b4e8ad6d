#include "options/feature_options.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_system.h"
#include "io/whole_file.h"
#include "options/refusals.h"
#include "stages/normalize/normalizer.h"

namespace lookalike {
namespace {

constexpr size_t kLargestList = size_t{16} << 20, kLargestTable = size_t{1} << 30;

/// Most units of one feature: more would make sets of documents far larger than the documents.
constexpr double kMostUnits = 1024;

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

/// Reads a file of stop words. Its name in results depends on its content, so that two files with
/// the same name are distinct.
Status TakeFile(const std::string& path, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(
      const std::string text,
      ReadTable("stop-words", path, kLargestList, "use a text file with one word per line"));
  Normalizer normalizer;
  StopWords words = StopWords::OfLines(normalizer.Run(text));
  if (words.size() == 0)
    return OptionError("$<stop-words> has no words; the file must have one word per line", path);
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

/// Checks that a table of weights is named, and that nothing else sets the weights of items.
Status CheckTable(const Options& options) {
  if (options.ratings == "weights") {
    return OptionError(
        "$<weights> cannot be combined with $<ratings=weights>, because both set the weights of "
        "items; pass only one of the two");
  }
  if (options.ratings.starts_with("liked")) {
    return OptionError(
        "$<weights> cannot be combined with $<ratings=liked:X,Y>, which marks each item as liked "
        "or disliked; pass only one of the two");
  }
  if (IsTablePath(options.weights)) return {};
  return OptionError("$<weights='" + options.weights +
                     "'> is not allowed; use off, or the path of a file, such as ./weights.tsv");
}

/// Reads a table of weights. Words are normalised like the texts in which they are looked up.
Status TakeTable(const Options& options, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(
      const std::string text,
      ReadTable("weights", options.weights, kLargestTable,
                "use a text file with lines of word, tab and weight, as $(weights) writes it"));
  Normalizer normalizer(spec->normal_form);
  const auto fold = [&](std::string_view word) { return std::string(normalizer.Run(word)); };
  LOOKALIKE_ASSIGN_OR_RETURN(
      WeightTable table,
      WeightTable::OfLines(text, options.weights, fold, kMostUnits * options.weight_unit));
  if (table.size() == 0) {
    return OptionError("$<weights> has no words; the file must have lines of word, tab and weight",
                       options.weights);
  }
  spec->weights = std::make_shared<const WeightTable>(std::move(table));
  spec->weights_name = NameOfContent(text);
  return {};
}

Status TakeWeights(const Options& options, FeatureSpec* spec) {
  if (options.weights != "off") {
    LOOKALIKE_RETURN_IF_ERROR(CheckTable(options));
    return TakeTable(options, spec);
  }
  if (options.weight_unit == 1 || options.ratings == "weights") return {};
  return OptionError(
      "$<weight-unit> only applies to weights; set $<weights> or $<ratings=weights>, or leave it "
      "out");
}

/// Reads the ratings. Stars are counts: as a set they would carry less information than no ratings.
Status TakeRatings(const Options& options, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(spec->ratings, ParseRatings(options.ratings));
  if (spec->ratings == Ratings{}) return {};
  const bool stars = spec->ratings.how == Ratings::How::kStars;
  if (stars && spec->bag == Bag::kOff) spec->bag = Bag::kMax;
  return {};
}

/// Reads the options whose values are a few words or numbers.
Status TakeChoices(const Options& options, FeatureSpec* spec) {
  constexpr std::pair<std::string_view, bool> kSegmentations[] = {{"script", false}, {"icu", true}};
  constexpr std::pair<std::string_view, Bag> kBags[] = {
      {"off", Bag::kOff}, {"max", Bag::kMax}, {"sum", Bag::kSum}};
  constexpr std::pair<std::string_view, ShingleHash> kHashes[] = {{"mixer", ShingleHash::kMixer},
                                                                  {"rabin", ShingleHash::kRabin}};
  LOOKALIKE_ASSIGN_OR_RETURN(spec->dictionaries,
                             Choose(options, &Options::segment, kSegmentations));
  LOOKALIKE_ASSIGN_OR_RETURN(spec->bag, Choose(options, &Options::bag, kBags));
  LOOKALIKE_ASSIGN_OR_RETURN(spec->hash, Choose(options, &Options::hash, kHashes));
  const bool known_width = options.feature_bits == 64 || options.feature_bits == 32;
  LOOKALIKE_RETURN_IF_ERROR(RequireOption(known_width, options, &Options::feature_bits));
  spec->narrow = options.feature_bits == 32;
  return {};
}

}  // namespace

bool IsTablePath(const std::string& name) { return name.find_first_of("/.") != std::string::npos; }

Status CheckWeightUnit(const Options& options) {
  const bool good = options.weight_unit >= 1e-9 && options.weight_unit <= 1e9;
  return RequireOption(good, options, &Options::weight_unit);
}

Result<FeatureSpec> ReadFeatureWords(const Options& options) {
  FeatureSpec spec;
  spec.seed = options.seed;
  LOOKALIKE_ASSIGN_OR_RETURN(spec.shingle, ParseShingle(options.shingle));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.pages, ParseHtmlMode(options.pages));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.normal_form, ParseNormalForm(options.normalize));
  LOOKALIKE_RETURN_IF_ERROR(TakeChoices(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeRatings(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(CheckWeightUnit(options));
  spec.weight_unit = options.weight_unit;
  return spec;
}

Result<FeatureSpec> ReadFeatureSpec(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(FeatureSpec spec, ReadFeatureWords(options));
  LOOKALIKE_RETURN_IF_ERROR(TakeStopWords(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeWeights(options, &spec));
  return spec;
}

Result<FeatureSpec> ReadSetSpec(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(FeatureSpec spec, ReadFeatureSpec(options));
  if (spec.bag != Bag::kSum) return spec;
  // s = m / (1 + m) for the two measures, whatever the bags (MMDS, section 3.1.3).
  const double t = options.threshold;
  const std::string instead = t <= 0.5 ? fmt::format(" $<threshold={}>", t / (1 - t)) : "";
  return OptionError(
      fmt::format("$<bag=sum> only works with compare: with it even copies have a resemblance of "
                  "0.5, the highest there is; $<bag=max>{} finds the same pairs",
                  instead));
}

}  // namespace lookalike
