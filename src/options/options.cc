#include "lookalike/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "lookalike/options_table.h"
#include "measures/distance_kind.h"
#include "options/delimiter_option.h"
#include "options/feature_options.h"
#include "options/keep_option.h"
#include "options/method_option.h"
#include "stages/candidates/design.h"
#include "stages/normalize/normalizer.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

constexpr uint64_t kMaxThreads = 4096;

const OptionRow& RowOf(const OptionMember& member) {
  const auto table = OptionTable();
  return *std::find_if(table.begin(), table.end(),
                       [&](const OptionRow& row) { return row.member == member; });
}

/// The audit holds the feature sets of its sample in memory, and compares all documents with it.
constexpr uint64_t kMostAuditDocuments = 1'000'000;

/// Shorter texts than this are contained in others by chance: a phrase, a heading.
constexpr uint64_t kLeastContained = 20;

/// The least memory that a run needs: its buffers, whatever the input.
constexpr uint64_t kLeastMemory = uint64_t{64} << 20;

/// Returns an Error with the option's name, its value and the values it takes, unless `good`.
Status Demand(bool good, const Options& options, const OptionMember& member) {
  if (good) return {};
  const OptionRow& row = RowOf(member);
  return OptionError(fmt::format("$<{}='{}'> is not allowed; give {}", row.name,
                                 OptionText(row, options), row.takes));
}

bool IsOneOf(std::string_view value, std::initializer_list<std::string_view> allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

/// Checks numbers. Comparisons are written so that a NaN fails them.
Status CheckNumbers(const Options& o) {
  LOOKALIKE_RETURN_IF_ERROR(Demand(o.threshold > 0 && o.threshold <= 1, o, &Options::threshold));
  LOOKALIKE_RETURN_IF_ERROR(Demand(o.recall > 0 && o.recall < 1, o, &Options::recall));
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(o.max_record >= 1 && o.max_record <= kLargestText, o, &Options::max_record));
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(o.audit_documents <= kMostAuditDocuments, o, &Options::audit_documents));
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(o.max_expansion >= 1 && o.max_expansion <= 1e12, o, &Options::max_expansion));
  LOOKALIKE_RETURN_IF_ERROR(Demand(o.memory == 0 || o.memory >= kLeastMemory, o, &Options::memory));
  return Demand(o.threads <= kMaxThreads, o, &Options::threads);
}

/// Checks the measure and the options that cannot be combined with containment.
Status CheckMeasure(const Options& o) {
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(IsOneOf(o.measure, {"resemblance", "containment"}), o, &Options::measure));
  if (o.measure != "containment") return {};
  const auto refuse = [](std::string_view option, std::string_view value, std::string_view why) {
    return OptionError(fmt::format(
        "$<{}='{}'> has no use with $<measure=containment>, {}; leave it out", option, value, why));
  };
  if (o.verify != "exact") {
    return refuse("verify", o.verify, "which counts the features of every pair");
  }
  if (!o.design.empty()) {
    return refuse("design", o.design, "whose candidates come from samples, not from bands");
  }
  if (o.cluster != "leader") {
    return refuse("cluster", o.cluster, "as what holds two texts does not make them alike");
  }
  if (o.keep != Options().keep) {
    return refuse("keep", o.keep, "where the reference stays and what it contains goes");
  }
  if (o.exact_empty) {
    return OptionError(
        "$<exact-empty> has no use with $<measure=containment>, as a text without features is "
        "contained in none; leave it out");
  }
  return {};
}

Status CheckOutput(const Options& o) {
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(IsOneOf(o.cluster, {"leader", "components"}), o, &Options::cluster));
  return Demand(IsOneOf(o.output, {"copies", "annotated"}), o, &Options::output);
}

/// Checks the name of a sketch of coordinates or, for uses without keys, of a sample.
Status CheckSketch(const std::string& name) {
  if (NamesSetSketch(name)) {
    if (auto sample = ParseSetSketch(name); !sample) return tl::make_unexpected(sample.error());
  } else if (auto sketch = ParseSketch(name); !sketch) {
    return tl::make_unexpected(sketch.error());
  }
  return {};
}

/// Returns an Error if an option that cannot be combined with a distance is not at its default.
Status RefuseBeside(const OptionMember& member, const Options& o, const Options& usual) {
  const OptionRow& row = RowOf(member);
  if (OptionText(row, o) == OptionText(row, usual)) return {};
  return OptionError(
      fmt::format("$<{}> has no use with $<distance={}>; leave it out", row.name, o.distance));
}

/// Checks that options of features are not combined with a distance, which says how documents are
/// compared.
Status CheckNoFeatures(const Options& o) {
  const Options usual;
  const OptionMember members[] = {
      &Options::threshold,  &Options::shingle,      &Options::pages,        &Options::segment,
      &Options::stop_words, &Options::weights,      &Options::bag,          &Options::ratings,
      &Options::hash,       &Options::sketch,       &Options::feature_bits, &Options::sketch_bits,
      &Options::verify,     &Options::min_features, &Options::measure};
  for (const OptionMember& member : members) {
    LOOKALIKE_RETURN_IF_ERROR(RefuseBeside(member, o, usual));
  }
  if (IsOfStrings(*ParseDistance(o.distance)) || o.normalize == usual.normalize) return {};
  return OptionError(
      fmt::format("$<normalize> has no use with $<distance={}>, which is of numbers; leave it "
                  "out",
                  o.distance));
}

/// Checks the options of an edit search, which has one method, misses nothing and draws nothing at
/// random.
Status CheckEdits(const Options& o) {
  constexpr double kMostEdits = 64;
  if (o.within >= 0 && (o.within > kMostEdits || o.within != std::floor(o.within))) {
    return OptionError(
        fmt::format("$<within='{}'> is not allowed with $<distance={}>; give a whole number "
                    "from 0 to {}",
                    o.within, o.distance, kMostEdits));
  }
  const Options usual;
  const OptionMember members[] = {&Options::design, &Options::recall, &Options::seed};
  for (const OptionMember& member : members) {
    LOOKALIKE_RETURN_IF_ERROR(RefuseBeside(member, o, usual));
  }
  if (IsOneOf(o.method, {"auto", "exact"})) return {};
  return OptionError(
      fmt::format("$<method='{}'> has no use with $<distance={}>, which misses nothing; "
                  "leave it out",
                  o.method, o.distance));
}

Status CheckDistance(const Options& o) {
  constexpr uint64_t kMostNeighbours = 10'000;
  LOOKALIKE_RETURN_IF_ERROR(Demand(o.top >= 1 && o.top <= kMostNeighbours, o, &Options::top));
  const bool given = o.within >= 0;
  LOOKALIKE_RETURN_IF_ERROR(Demand(
      o.within == Options().within || (given && std::isfinite(o.within)), o, &Options::within));
  if (o.distance == "off") {
    if (!given) return {};
    return OptionError(fmt::format(
        "$<within='{}'> has no use without $<distance>; give one, or $<threshold>", o.within));
  }
  const auto kind = ParseDistance(o.distance);
  LOOKALIKE_RETURN_IF_ERROR(Demand(kind.has_value(), o, &Options::distance));
  if (IsOfStrings(*kind)) LOOKALIKE_RETURN_IF_ERROR(CheckEdits(o));
  if (!IsOneOf(o.design, {"", "all", "grid"})) {
    return OptionError(
        fmt::format("$<design='{}'> is not allowed with $<distance={}>; give all or grid", o.design,
                    o.distance));
  }
  if (!IsOneOf(o.method, {"auto", "lsh", "exact"})) {
    return OptionError(
        fmt::format("$<method='{}'> has no use with $<distance={}>; give auto, lsh or exact",
                    o.method, o.distance));
  }
  if (!o.design.empty() && o.method == "lsh") {
    return OptionError(
        fmt::format("$<design='{}'> has no use with $<method=lsh>, which takes keys only; "
                    "give only one of the two",
                    o.design));
  }
  return CheckNoFeatures(o);
}

Status CheckMethod(const Options& o) {
  LOOKALIKE_ASSIGN_OR_RETURN(const MethodOption method, ParseMethodOption(o.method));
  LOOKALIKE_RETURN_IF_ERROR(CheckSketch(o.sketch));
  LOOKALIKE_RETURN_IF_ERROR(Demand(IsAllowedWidth(o.sketch_bits), o, &Options::sketch_bits));
  if (o.design.empty() || o.distance != "off") return {};
  if (auto design = ParseDesign(o.design); !design) return tl::make_unexpected(design.error());
  if (method.has_keys()) return {};
  return OptionError(fmt::format(
      "$<design='{}'> has no use with $<method={}>; give only one of the two", o.design, o.method));
}

}  // namespace

Status Options::Validate() const {
  LOOKALIKE_RETURN_IF_ERROR(CheckNumbers(*this));
  if (auto spec = ReadFeatureSpec(*this); !spec) return tl::unexpected(spec.error());
  LOOKALIKE_RETURN_IF_ERROR(CheckMethod(*this));
  LOOKALIKE_RETURN_IF_ERROR(CheckDistance(*this));
  if (auto order = ParseKeepOption(keep); !order) return tl::make_unexpected(order.error());
  LOOKALIKE_RETURN_IF_ERROR(Demand(IsOneOf(verify, {"exact", "sketch+exact", "sketch", "none"}),
                                   *this, &Options::verify));
  LOOKALIKE_RETURN_IF_ERROR(CheckMeasure(*this));
  const bool named = std::find(against.begin(), against.end(), "") == against.end();
  LOOKALIKE_RETURN_IF_ERROR(Demand(named, *this, &Options::against));
  LOOKALIKE_RETURN_IF_ERROR(
      Demand(ParseDelimiter(delimiter).has_value(), *this, &Options::delimiter));
  for (const auto patterns : {&Options::include, &Options::exclude}) {
    const auto& list = this->*patterns;
    const bool good = std::none_of(list.begin(), list.end(), [](const std::string& pattern) {
      return pattern.find_first_not_of('/') == std::string::npos;
    });
    LOOKALIKE_RETURN_IF_ERROR(Demand(good, *this, patterns));
  }
  return CheckOutput(*this);
}

uint64_t Options::LeastFeatures() const {
  if (min_features != 0) return min_features;
  return measure == "containment" ? kLeastContained : 1;
}

}  // namespace lookalike
