#include "lookalike/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fingerprint/feature_spec.h"
#include "options/choices.h"
#include "options/delimiter_option.h"
#include "options/feature_options.h"
#include "options/refusals.h"
#include "options/settings.h"
#include "stages/candidates/design.h"
#include "stages/normalize/normalizer.h"
#include "stages/sketch/estimate.h"

namespace lookalike {
namespace {

constexpr uint64_t kMaxThreads = 4096;

/// Limit for the audit, which holds the feature sets of its sample in memory, and compares all
/// documents with it.
constexpr uint64_t kMostAuditDocuments = 1'000'000;

/// Shorter texts than this are contained in others by chance: a phrase, a heading.
constexpr uint64_t kLeastContained = 20;

/// The least memory that a run needs: its buffers, whatever the input.
constexpr uint64_t kLeastMemory = uint64_t{64} << 20;

/// Smaller shards would be files of a few records, and very many of them.
constexpr uint64_t kLeastShard = uint64_t{4} << 10;

constexpr uint64_t kMostNeighbours = 10'000;

/// Checks numbers. Comparisons are written so that a NaN fails them.
Status CheckNumbers(const Options& o) {
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.threshold > 0 && o.threshold <= 1, o, &Options::threshold));
  for (const FieldThreshold& field : o.threshold.fields) {
    LOOKALIKE_RETURN_IF_ERROR(
        RequireOption(field.least > 0 && field.least <= 1, o, &Options::threshold));
  }
  LOOKALIKE_RETURN_IF_ERROR(RequireOption(o.recall > 0 && o.recall < 1, o, &Options::recall));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.max_record >= 1 && o.max_record <= kLargestText, o, &Options::max_record));
  LOOKALIKE_RETURN_IF_ERROR(RequireOption(o.output_shard == 0 || o.output_shard >= kLeastShard, o,
                                          &Options::output_shard));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.audit_documents <= kMostAuditDocuments, o, &Options::audit_documents));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.max_expansion >= 1 && o.max_expansion <= 1e12, o, &Options::max_expansion));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.memory == 0 || o.memory >= kLeastMemory, o, &Options::memory));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.top >= 1 && o.top <= kMostNeighbours, o, &Options::top));
  const bool is_distance = o.within >= 0 && std::isfinite(o.within);
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(o.within == Options().within || is_distance, o, &Options::within));
  LOOKALIKE_RETURN_IF_ERROR(RequireOption(IsAllowedWidth(o.sketch_bits), o, &Options::sketch_bits));
  return RequireOption(o.threads <= kMaxThreads, o, &Options::threads);
}

/// Checks the options of an edit search, which has one method and misses nothing.
Status CheckEdits(const Options& o, const MethodOption& method) {
  constexpr double kMostEdits = 64;
  if (o.within >= 0 && (o.within > kMostEdits || o.within != std::floor(o.within))) {
    return OptionError(
        fmt::format("$<within='{}'> is not allowed with $<distance={}>; use a whole number "
                    "from 0 to {}",
                    o.within, o.distance, kMostEdits));
  }
  if (method.kind == MethodOption::Kind::kAuto || method.kind == MethodOption::Kind::kExact) {
    return {};
  }
  return OptionError(fmt::format(
      "$<method='{}'> cannot be combined with $<distance={}>, which always finds every pair; "
      "leave it out",
      o.method, o.distance));
}

/// Checks the options that say how pairs within a distance are found.
Status CheckDistance(const Options& o, const Choices& choices) {
  if (!choices.distance) return {};
  if (IsOfStrings(*choices.distance)) LOOKALIKE_RETURN_IF_ERROR(CheckEdits(o, choices.method));
  if (choices.method.merges()) {
    return OptionError(
        fmt::format("$<method='{}'> cannot be combined with $<distance={}>; use auto, lsh or exact",
                    o.method, o.distance));
  }
  if (!o.design.empty() && o.design != "all" && o.design != "grid") {
    return OptionError(
        fmt::format("$<design='{}'> is not allowed with $<distance={}>; use all or grid", o.design,
                    o.distance));
  }
  if (o.design.empty() || choices.method.kind != MethodOption::Kind::kLsh) return {};
  return OptionError(
      fmt::format("$<design='{}'> cannot be combined with $<method=lsh>, which uses keys; pass "
                  "only one of the two",
                  o.design));
}

/// Checks the names and patterns that say what is read.
Status CheckNames(const Options& o) {
  const bool named = std::find(o.against.begin(), o.against.end(), "") == o.against.end();
  LOOKALIKE_RETURN_IF_ERROR(RequireOption(named, o, &Options::against));
  LOOKALIKE_RETURN_IF_ERROR(
      RequireOption(ParseDelimiter(o.delimiter).has_value(), o, &Options::delimiter));
  for (const auto patterns : {&Options::include, &Options::exclude}) {
    const auto& list = o.*patterns;
    const bool good = std::none_of(list.begin(), list.end(), [](const std::string& pattern) {
      return pattern.find_first_not_of('/') == std::string::npos;
    });
    LOOKALIKE_RETURN_IF_ERROR(RequireOption(good, o, patterns));
  }
  return {};
}

/// Checks that guards are used where texts and fields are at hand and features decide.
Status CheckGuards(const Options& o, const Choices& choices) {
  if (!choices.guards.any() || choices.verifies()) return {};
  const char* const option = !o.differ.empty() ? "differ" : o.same.empty() ? "not-same" : "same";
  return OptionError(
      fmt::format("$<{}> cannot be combined with $<verify={}>, which judges pairs by sketches "
                  "alone; use $<verify=exact>",
                  option, o.verify));
}

}  // namespace

Status Options::Validate() const {
  LOOKALIKE_RETURN_IF_ERROR(CheckNumbers(*this));
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec words, ReadFeatureWords(*this));
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(*this));
  LOOKALIKE_RETURN_IF_ERROR(CheckApplies(*this, choices, words.shingle));
  LOOKALIKE_RETURN_IF_ERROR(CheckDistance(*this, choices));
  LOOKALIKE_RETURN_IF_ERROR(CheckGuards(*this, choices));
  if (auto features = ReadFeatureSpec(*this); !features) return tl::unexpected(features.error());
  if (!choices.distance && !design.empty()) {
    if (auto parsed = ParseDesign(design); !parsed) return tl::unexpected(parsed.error());
  }
  return CheckNames(*this);
}

uint64_t Options::LeastFeatures() const {
  if (min_features != 0) return min_features;
  return measure == "containment" ? kLeastContained : 1;
}

}  // namespace lookalike
