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

constexpr size_t kLargestList = size_t{16} << 20;

bool HasWords(Kind kind) { return kind == Kind::kWord || kind == Kind::kStopWord; }

/// A path has a slash or a dot, which no name of a list has.
bool IsPath(const std::string& name) { return name.find_first_of("/.") != std::string::npos; }

Result<std::string> ReadList(const std::string& path) {
  auto text = ReadWholeFile(path, RealFileSystem());
  if (!text) {
    return Fail("--stop-words: " + text.error().what + "; give a text file, a word a line", path);
  }
  if (text->size() > kLargestList) {
    return Fail("--stop-words is larger than 16 MiB; give a text file, a word a line", path);
  }
  return text;
}

/// The content decides, so that two files of one name are told apart.
Status TakeFile(const std::string& path, FeatureSpec* spec) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadList(path));
  Normalizer normalizer;
  StopWords words = StopWords::OfLines(normalizer.Run(text));
  if (words.size() == 0) return Fail("--stop-words has no words; give a word a line", path);
  spec->stop_words = std::make_shared<const StopWords>(std::move(words));
  spec->stop_words_name = fmt::format("xxh3-{:016x}", XXH3_64bits(text.data(), text.size()));
  return {};
}

Status TakeStopWords(const Options& options, FeatureSpec* spec) {
  if (IsPath(options.stop_words)) return TakeFile(options.stop_words, spec);
  LOOKALIKE_ASSIGN_OR_RETURN(spec->stop_words, StopWords::Named(options.stop_words));
  spec->stop_words_name = options.stop_words;
  return {};
}

Status TakeSegmentation(const Options& options, FeatureSpec* spec) {
  spec->dictionaries = options.segment == "icu";
  if (!spec->dictionaries && options.segment != "script") {
    return Fail("--segment '" + options.segment + "' is not allowed; give script or icu");
  }
  if (!spec->dictionaries || HasWords(spec->shingle.kind)) return {};
  return Fail("--segment icu has no use with --shingle " + options.shingle +
              ", which has no words; give word:N or stopword:N");
}

Status TakeCounting(const Options& options, FeatureSpec* spec) {
  constexpr std::pair<std::string_view, Bag> kBags[] = {
      {"off", Bag::kOff}, {"max", Bag::kMax}, {"sum", Bag::kSum}};
  const auto* const bag = std::find_if(std::begin(kBags), std::end(kBags), [&](const auto& known) {
    return known.first == options.bag;
  });
  if (bag == std::end(kBags)) {
    return Fail("--bag '" + options.bag + "' is not allowed; give off, max or sum");
  }
  spec->bag = bag->second;
  return {};
}

Status TakeHash(const Options& options, FeatureSpec* spec) {
  spec->hash = options.hash == "rabin" ? ShingleHash::kRabin : ShingleHash::kMixer;
  if (spec->hash == ShingleHash::kMixer && options.hash != "mixer") {
    return Fail("--hash '" + options.hash + "' is not allowed; give mixer or rabin");
  }
  if (options.feature_bits != 64 && options.feature_bits != 32) {
    return Fail(
        fmt::format("--feature-bits '{}' is not allowed; give 64 or 32", options.feature_bits));
  }
  spec->narrow = options.feature_bits == 32;
  return {};
}

}  // namespace

Result<FeatureSpec> ReadFeatureSpec(const Options& options) {
  FeatureSpec spec;
  spec.seed = options.seed;
  LOOKALIKE_ASSIGN_OR_RETURN(spec.shingle, ParseShingle(options.shingle));
  LOOKALIKE_ASSIGN_OR_RETURN(spec.normal_form, ParseNormalForm(options.normalize));
  LOOKALIKE_RETURN_IF_ERROR(TakeSegmentation(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeStopWords(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeCounting(options, &spec));
  LOOKALIKE_RETURN_IF_ERROR(TakeHash(options, &spec));
  return spec;
}

Result<FeatureSpec> ReadSetSpec(const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(FeatureSpec spec, ReadFeatureSpec(options));
  if (spec.bag != Bag::kSum) return spec;
  // s = m / (1 + m) of the two measures, whatever the bags (MMDS, section 3.1.3).
  const double t = options.threshold;
  const std::string instead = t <= 0.5 ? fmt::format(" --threshold {}", t / (1 - t)) : "";
  return Fail(
      fmt::format("--bag sum is for compare: copies have 1/2 by it, and no pair has more; "
                  "--bag max{} finds the same pairs",
                  instead));
}

}  // namespace lookalike
