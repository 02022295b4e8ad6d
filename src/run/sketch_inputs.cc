#include "run/sketch_inputs.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "fingerprint/feature_extractor.h"
#include "options/feature_options.h"
#include "run/resolve_job.h"
#include "stages/input/reader.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {
namespace {

/// A sketch file, and the kind of its sketches.
struct SketchFile {
  std::string place;
  StoredSketch stored;
};

std::string Describe(const StoredSketch& stored, const std::string& name) {
  const std::string bits = stored.IsSample() || stored.bits == kWholeCoordinate
                               ? ""
                               : fmt::format(" with {} {} per coordinate", stored.bits,
                                             stored.bits == 1 ? "bit" : "bits");
  return fmt::format("{}{} of {}, seed {}", name, bits, stored.shingle, stored.seed);
}

/// Calls `f` with each part of a feature text: the shingle, then the differences from the default.
template <class F>
void ForEachPart(std::string_view text, F&& f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool HasPart(std::string_view text, std::string_view part) {
  bool has = false;
  ForEachPart(text, [&](std::string_view other) { has |= other == part; });
  return has;
}

/// Checks that the requested features, where they are not the default, match the sketches.
Status CheckFeatures(const StoredSketch& stored, const Options& options, const std::string& place) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec asked, ReadFeatureSpec(options));
  const std::string usual = ToString(FeatureSpec());
  std::string wrong;
  ForEachPart(ToString(asked), [&](std::string_view part) {
    if (part != usual && !HasPart(stored.shingle, part)) wrong = part;
  });
  if (wrong.empty()) return {};
  return InputError(fmt::format("holds sketches of {}, but the options ask for {}; leave these "
                                "options out, or make the sketches again from the texts",
                                stored.shingle, wrong),
                    place);
}

tl::unexpected<Error> Disagrees(std::string_view option, const std::string& asked,
                                const std::string& stored, const std::string& place) {
  return InputError(fmt::format("holds sketches made with $<{}={}>, but this run uses $<{}={}>; "
                                "leave the option out, or make the sketches again from the texts",
                                option, stored, option, asked),
                    place);
}

/// Returns the full name for a value of --sketch.
std::string FullName(const std::string& sketch) {
  const auto spec = ParseSketch(sketch);
  if (spec) return ToString(*spec);
  const auto sample = ParseSetSketch(sketch);
  return sample ? ToString(*sample) : sketch;
}

/// Returns all sketch files that can be read. If bad inputs are skipped, a file that cannot be read
/// is left for the reader of its records to report.
Result<std::vector<SketchFile>> ReadFronts(const Job& job) {
  std::vector<SketchFile> found;
  for (const InputFile& file : job.inputs) {
    if (file.format != Format::kSketches || !file.problem.empty()) continue;
    auto stored = ReadSketchFront(file, job.limits);
    if (!stored && job.options.skip_bad_inputs) continue;
    if (!stored) return tl::make_unexpected(std::move(stored).error());
    found.push_back({file.place(), *std::move(stored)});
  }
  return found;
}

Status CheckAlike(const SketchFile& first, const std::string& name,
                  const std::vector<SketchFile>& files) {
  for (const SketchFile& file : files) {
    if (file.stored == first.stored) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string other, SketchNameOf(file.stored));
    return InputError(
        fmt::format("holds sketches {}, but {} holds {}; only sketches made with the same options "
                    "can be compared",
                    Describe(file.stored, other), first.place, Describe(first.stored, name)),
        file.place);
  }
  return {};
}

/// Returns the first input that is not a sketch file.
std::optional<InputFile> FindText(const Job& job) {
  for (const InputFile& file : job.inputs) {
    if (file.format != Format::kSketches && file.problem.empty()) return file;
  }
  return std::nullopt;
}

/// Checks `dedup`, which groups documents of sketch files, and has no rows to keep or remove.
Status CheckSuggests(const Job& job, const std::string& place) {
  if (const auto text = FindText(job)) {
    return InputError(
        fmt::format("holds sketches without texts, but {} holds texts: documents are never removed "
                    "on an estimate; pass only texts, or only sketch files to have them clustered "
                    "($(sketch) makes a sketch file from texts)",
                    text->place()),
        place);
  }
  if (job.choices.output != OutputForm::kCopies) {
    return OptionError("holds sketches, not the rows that $<output=" + job.options.output +
                           "> would write; leave it out to only cluster the documents",
                       place);
  }
  const auto& criteria = job.choices.keep.criteria;
  const auto of_values = std::ranges::find_if(criteria, &KeepCriterion::IsOfValues);
  if (of_values == criteria.end()) return {};
  return OptionError("holds sketches but no texts or fields for $<keep=" + of_values->text +
                         ">; use first or source:A,B",
                     place);
}

/// Checks that texts beside sketches can be sketched in the same way, if the options say how.
Status CheckTexts(const Job& job, const SketchesOfInputs& first) {
  const std::string features = ToString(job.features);
  if (features == first.stored.shingle) return {};
  const auto text = FindText(job);
  if (!text) return {};
  return InputError(fmt::format("would be compared by {}, but {} holds sketches of {}; pass the "
                                "options that those sketches were made with",
                                features, first.place, first.stored.shingle),
                    text->place());
}

}  // namespace

Result<std::string> SketchNameOf(const StoredSketch& stored) {
  if (stored.fingerprint_version != kFingerprintVersion) {
    return InputError(
        fmt::format("the sketches have fingerprint version {}, but this program makes version {}; "
                    "make them again from the texts",
                    stored.fingerprint_version, kFingerprintVersion));
  }
  std::string name;
  if (stored.IsSample()) {
    const SetSketchSpec sample{static_cast<SetSketchKind>(stored.kind), stored.parameter};
    if (IsKnownKind(sample.kind)) name = ToString(sample);
  } else {
    const SketchSpec spec{static_cast<uint32_t>(stored.coordinates.size()),
                          static_cast<SketchKind>(stored.kind)};
    if (IsKnownKind(spec.kind) && ParseSketch(ToString(spec))) name = ToString(spec);
  }
  if (!name.empty() && NamesFeatures(stored.shingle)) return name;
  return InputError(
      "the sketches are of a kind that this version does not know; read them with the version "
      "that made them");
}

Result<Options> AdoptSketches(const StoredSketch& stored, const std::string& name,
                              const Options& options, const std::string& place) {
  LOOKALIKE_RETURN_IF_ERROR(CheckFeatures(stored, options, place));
  const Options usual;
  if (options.sketch != usual.sketch && FullName(options.sketch) != name) {
    return Disagrees("sketch", options.sketch, name, place);
  }
  if (options.seed != usual.seed && options.seed != stored.seed) {
    return Disagrees("seed", std::to_string(options.seed), std::to_string(stored.seed), place);
  }
  const uint64_t bits = stored.IsSample() ? kWholeCoordinate : stored.bits;
  if (options.sketch_bits != usual.sketch_bits && options.sketch_bits != bits) {
    return Disagrees("sketch-bits", std::to_string(options.sketch_bits), std::to_string(bits),
                     place);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  Options adopted = Estimating(options, choices);
  adopted.sketch = name;
  adopted.seed = stored.seed;
  adopted.sketch_bits = bits;
  return adopted;
}

Result<std::optional<SketchesOfInputs>> ReadSketchFronts(const Job& job) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto files, ReadFronts(job));
  if (files.empty()) return std::nullopt;
  const SketchFile& first = files.front();
  auto name = SketchNameOf(first.stored);
  if (!name) return AtPlace(std::move(name).error(), first.place);
  LOOKALIKE_RETURN_IF_ERROR(CheckAlike(first, *name, files));
  return SketchesOfInputs{first.stored, *std::move(name), first.place};
}

Result<bool> TakeSketchFiles(bool all_pairs, Job* job) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, ReadSketchFronts(*job));
  if (!found) return false;
  LOOKALIKE_ASSIGN_OR_RETURN(const Options adopted,
                             AdoptSketches(found->stored, found->name, job->options, found->place));
  LOOKALIKE_ASSIGN_OR_RETURN(Job taken, BeginJob(adopted, all_pairs, true));
  taken.inputs = std::move(job->inputs);
  taken.left_out = std::move(job->left_out);
  taken.reference_inputs = job->reference_inputs;
  taken.verify_is_implied = job->choices.verifies();
  taken.only_suggests = !all_pairs;
  LOOKALIKE_RETURN_IF_ERROR(all_pairs ? CheckTexts(taken, *found)
                                      : CheckSuggests(taken, found->place));
  taken.stored_features = found->stored.shingle;
  *job = std::move(taken);
  return true;
}

std::string SketchesMessage(const Job& job) {
  const std::string inputs = fmt::format("lookalike: the inputs are sketches ({} of {})",
                                         job.options.sketch, job.stored_features);
  if (job.only_suggests) {
    return inputs +
           " without texts: clusters are based on estimates (suggested.jsonl lists what could be "
           "removed), and nothing is removed";
  }
  if (!job.verify_is_implied) return {};
  return inputs + ", so $<verify=sketch> is implied: each resemblance is an estimate";
}

}  // namespace lookalike
