#include "batch/job.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <span>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "batch/edge_hash.h"
#include "batch/memory_plan.h"
#include "batch/search.h"
#include "batch/search_terms.h"
#include "batch/sketch_inputs.h"
#include "batch/units.h"
#include "format/sketch_bytes.h"
#include "io/file_system.h"
#include "io/object_uri.h"
#include "lookalike/options_table.h"
#include "options/delimiter_option.h"
#include "options/feature_options.h"
#include "stages/input/reader.h"
#include "stages/sketch/set_sketch.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// How often a large bucket is split. Each split multiplies its records by the extension keys, and
/// where its members are alike, or share a template, no split makes it small.
constexpr uint32_t kRefinements = 1;

/// A bucket is split only where that is cheaper than comparing all its members: n members make
/// n * keys records of some 15 ns against n * n / 2 comparisons of codes of some 2 ns.
constexpr uint64_t kSmallPerKey = 16;

/// Share of the allowed misses that one refinement of a large bucket may cause at the threshold.
constexpr double kRefineMissShare = 0.1;

/// Share of the allowed misses that the code filter may cause at the threshold.
constexpr double kCodeMissShare = 0.001;

/// Takes the design that was asked for, if any.
Status TakeDesign(Job* job) {
  const Options& options = job->options;
  if (job->measures_containment()) return {};
  if (job->method.has_keys() && !IsBandable(job->KeySketch().kind)) {
    return Fail("--sketch " + options.sketch +
                " leaves bins empty, so that no keys of candidates can be made of it; give "
                "another sketch, such as one-permutation:K, --verify sketch, or --method exact, "
                "which needs none");
  }
  if (!job->method.has_keys() || options.design.empty()) return {};
  const uint32_t coordinates = job->KeySketch().coordinates;
  LOOKALIKE_ASSIGN_OR_RETURN(Design design, ParseDesign(options.design));
  if (design.keys == 0) {
    return Fail("--design " + ToString(design) +
                " compares the sketches of all pairs: it has no keys to find candidates by, and is "
                "there for plan without inputs to evaluate; give groups, bands or overlapping");
  }
  if (design.coordinates > coordinates) {
    return Fail("--design " + ToString(design) + " needs " + std::to_string(design.coordinates) +
                " coordinates, but --sketch makes " + std::to_string(coordinates) +
                (job->estimates() && !job->Kept().HasKeys()
                     ? " for keys of what it keeps; give another design"
                     : "; give --sketch with more"));
  }
  job->design = std::move(design);
  return {};
}

/// Features of the smaller document of a pair from which on the recall that is asked for is
/// promised, in large collections; in others always.
constexpr uint64_t kPromisedFeatures = 200;

/// Bytes of text from which on a collection is large, so that not all features are stored.
constexpr uint64_t kLargeCollection = uint64_t{4} << 30;

/// The samples that find what contains what, unless the exact join was asked for.
Status ChooseSamples(Job* job) {
  const Options& options = job->options;
  if (options.method == "exact") return {};
  const uint64_t promised = job->sizes.AllBytes() < kLargeCollection ? 1 : kPromisedFeatures;
  const ContainmentDesign planned(options.threshold, options.recall, promised);
  job->containment = planned;
  if (options.sketch == Options().sketch) return {};
  const auto& sample = job->sample;
  if (!sample || sample->kind != SetSketchKind::kFracMinHash ||
      !std::has_single_bit(sample->parameter)) {
    return Fail("--sketch " + options.sketch +
                " has no use with --measure containment; give fracminhash:S with S = 1, 2, 4 or "
                "another power of two, or leave it out");
  }
  job->containment = planned.WithBase(static_cast<uint32_t>(std::countr_zero(sample->parameter)));
  return {};
}

/// Chooses the design by predicted cost where none was asked for; the exact join where no design
/// reaches the recall and no method was asked for.
Status ChooseDesign(Job* job) {
  const Options& options = job->options;
  if (job->measures_containment()) return ChooseSamples(job);
  if (!job->method.has_keys() || job->design) return {};
  auto design = PlanDesign(*job, SizeOf(*job).documents);
  if (design) {
    job->design = *std::move(design);
  } else if (job->estimates() && !job->sample) {
    return Fail(design.error().what + ", which needs --verify exact");
  } else if (options.method != "auto") {
    return tl::make_unexpected(std::move(design).error());
  }
  return {};
}

/// Takes the sketch, or the sample of which shingles are merged.
Status TakeSketch(Job* job) {
  const std::string& sketch = job->options.sketch;
  if (!NamesSetSketch(sketch)) {
    LOOKALIKE_ASSIGN_OR_RETURN(job->sketch, ParseSketch(sketch));
    return {};
  }
  LOOKALIKE_ASSIGN_OR_RETURN(job->sample, ParseSetSketch(sketch));
  return {};
}

void ResolveRules(Job* job, bool all_pairs) {
  const Options& options = job->options;
  const uint32_t codes = CodeCount(job->KeySketch().coordinates);
  const double threshold = job->KeyThreshold();
  job->rules.all_pairs = all_pairs;
  job->rules.agreement_floor =
      CodeAgreementFloor(threshold, codes, kCodeMissShare * (1 - options.recall));
  for (uint32_t level = 0; level < kRefinements; ++level) {
    job->rules.extensions.push_back(
        PlanExtension(threshold, 1 - kRefineMissShare * (1 - options.recall), codes, level));
  }
  job->rules.small = std::max(job->rules.small, kSmallPerKey * job->rules.extensions.front().keys);
  job->rules.cover_floor = CoverFloor(threshold, codes);
  if (options.verify == "none") job->rules.agreement_floor = 0;  // every candidate is asked for
  if (options.verify == "sketch+exact") {
    job->rules.agreement_floor = LeastEqual(options.threshold, codes, 8);  // bits of a code
  }
}

/// What can be told without features: pairs by the keys of sketches, or by samples, which are sets
/// themselves.
Status CheckEstimated(const Options& options, const MethodOption& method, bool may_estimate) {
  if (options.verify == "exact") return {};
  if (options.verify == "sketch+exact" && method.has_keys()) return {};
  if (!may_estimate && options.verify != "sketch+exact") {
    return Fail("--verify '" + options.verify +
                "' is not allowed here, as what is removed is always verified exactly; give exact, "
                "or list pairs with lookalike pairs --verify " +
                options.verify);
  }
  const bool samples = NamesSetSketch(options.sketch) && options.verify != "sketch+exact";
  if (method.has_keys() || samples) return {};
  return Fail("--method " + options.method + " joins the features of documents, and --verify " +
              options.verify + " looks at sketches alone; give only one of the two");
}

/// Fewer bits than all can be kept of coordinates that are never empty.
Status CheckKeptBits(const Options& options, bool must_be_whole) {
  if (!must_be_whole || options.sketch_bits == kWholeCoordinate) return {};
  return Fail(
      fmt::format("--sketch-bits {} has no use with --sketch {}, whose values are kept "
                  "whole; leave it out",
                  options.sketch_bits, options.sketch));
}

Status CheckContainment(const Options& options, const MethodOption& method, bool all_pairs) {
  if (options.measure != "containment") return {};
  if (method.merges()) {
    return Fail(
        "--method shingle-merge finds what is alike, and --measure containment what is part of "
        "another; give only one of the two");
  }
  if (all_pairs || !options.against.empty()) return {};
  return Fail(
      "--measure containment needs --against: a text that is part of another is no duplicate of "
      "it. Name the collection whose texts must not be contained, such as a test set; to list "
      "what contains what, use lookalike pairs --measure containment");
}

/// What is reported or removed was compared in full, or estimated where that was asked for, and
/// candidates come from band keys.
Status CheckVerified(const Options& options, const MethodOption& method, bool all_pairs,
                     bool may_estimate) {
  LOOKALIKE_RETURN_IF_ERROR(CheckEstimated(options, method, may_estimate));
  LOOKALIKE_RETURN_IF_ERROR(CheckContainment(options, method, all_pairs));
  if (method.merges() && !NamesSetSketch(options.sketch) && options.sketch != Options().sketch) {
    return Fail("--sketch " + options.sketch +
                " has no use with --method shingle-merge, which merges shingles themselves or a "
                "sample of them; give mod-m:M, bottom-k:K or fracminhash:S, or leave it out");
  }
  const bool estimates = options.verify == "sketch" || options.verify == "none";
  const bool takes_samples = method.merges() || options.measure == "containment" || estimates;
  if (!NamesSetSketch(options.sketch) || takes_samples) return {};
  return Fail("--sketch " + options.sketch +
              " is a sample without coordinates, from which no band keys can be made; give fss:K "
              "or permutations:K, or use it with --method shingle-merge, --measure containment or "
              "--verify sketch");
}

Status CheckKeepSources(const Job& job) {
  for (const std::string& name : job.keep.sources) {
    const bool known = std::any_of(job.inputs.begin(), job.inputs.end(),
                                   [&](const InputFile& file) { return file.name == name; });
    if (known) continue;
    std::string names;
    for (size_t i = 0; i < std::min<size_t>(job.inputs.size(), 20); ++i) {
      names += (i == 0 ? "" : ", ") + job.inputs[i].name;
    }
    return Fail("--keep source: no input is named '" + name + "'; the inputs are " + names);
  }
  return {};
}

/// Bytes of a sample of a document of some kilobytes.
uint64_t TypicalSample(const SetSketchSpec& sample) {
  constexpr uint64_t kFeatures = 500;
  const bool bottom = sample.kind == SetSketchKind::kBottomK;
  return 8 * (bottom ? std::min(kFeatures, sample.parameter) : kFeatures / sample.parameter + 1);
}

/// Bytes of the record of a document in a sketch file, with an id of usual length.
uint64_t StoredBytes(const Job& job) {
  if (job.sample) return 40 + TypicalSample(*job.sample);
  return 40 + PackedBytes(job.sketch.coordinates, job.sketch_bits);
}

/// Finds out how large the inputs are, roughly.
void MeasureInputs(Job* job) {
  job->sizes = EstimateSizes(job->inputs, job->fields, job->limits, StoredBytes(*job));
}

/// Features of all samples for containment, roughly: texts have one in so many bytes.
uint64_t SampledFeatures(const Job& job) {
  constexpr uint64_t kBytesOfWord = 6;
  if (!job.containment) return 0;
  const auto kind = job.features.shingle.kind;
  const bool is_text = kind == ShingleSpec::Kind::kWord || kind == ShingleSpec::Kind::kCode;
  return job.sizes.AllBytes() / (is_text ? kBytesOfWord : 1) >> job.containment->base();
}

/// Predicts what runs take, and divides keys into so many partitions that one of them is some 16
/// MiB.
void PlanRuns(Job* job) {
  constexpr uint64_t kPartition = uint64_t{16} << 20;
  const uint64_t documents = job->sizes.documents;
  const uint64_t keys = job->design ? job->design->keys * documents : SampledFeatures(*job);
  while (job->partition_bits < 10 && keys * sizeof(KeyRecord) >> job->partition_bits > kPartition) {
    ++job->partition_bits;
  }
  job->predicted_bytes = static_cast<uint64_t>(RunBytes(SizeOf(*job), TermsOf(*job), job->design));
  if (job->containment) job->predicted_bytes += keys * (sizeof(PackedKey) + sizeof(KeyRecord));
  if (job->estimates()) {
    job->predicted_bytes +=
        documents * (16 + (job->sample ? TypicalSample(*job->sample)
                                       : PackedBytes(job->sketch.coordinates, 32)));
  }
}

Status FindInputs(const Inputs& inputs, const std::string& spool_dir, bool is_spooled,
                  const ObjectReading& objects, Job* job) {
  const std::vector<std::string>& against = job->options.against;
  Discovery how = {.spool_dir = spool_dir, .tables = &inputs.tables, .objects = objects};
  how.delimiter = *ParseDelimiter(job->options.delimiter);
  if (job->options.skip_bad_inputs) how.unreadable = UnreadableInputs::kList;
  if (is_spooled) how.standard_input = StandardInput::kSpooled;
  if (!against.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto reference, DiscoverInputs(against, how));
    job->reference_inputs = static_cast<uint32_t>(reference.size());
    if (std::find(against.begin(), against.end(), "-") != against.end()) {
      how.standard_input = StandardInput::kSpooled;  // by now
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(job->inputs,
                             DiscoverInputs(NamedInputs(inputs.names, job->options), how));
  return {};
}

/// Of commands that need the texts.
Status RefuseSketchFiles(const std::vector<InputFile>& inputs) {
  for (const InputFile& file : inputs) {
    if (file.format != Format::kSketches) continue;
    return Fail("is a sketch file already; give texts", file.place());
  }
  return {};
}

/// A file of text is a page where all texts are taken for pages: its encoding is found like theirs.
void TakePages(Job* job) {
  if (AppliedMode(job->features.pages, TextKind::kUnknown) == HtmlMode::kOff) return;
  for (InputFile& file : job->inputs) {
    if (file.format == Format::kText) file.format = Format::kHtml;
  }
}

/// What differs between the inputs of two attempts, or nothing.
Status CheckSameInputs(const nlohmann::json& earlier, const nlohmann::json& now) {
  for (size_t i = 0; i < std::max(earlier.size(), now.size()); ++i) {
    if (i >= now.size()) {
      return Fail(
          "this input of the interrupted run is not given now; give all of them, or start "
          "again without --resume",
          earlier.at(i).at("path").get<std::string>());
    }
    const std::string path = now.at(i).at("path");
    if (i >= earlier.size() || earlier.at(i).at("path") != path) {
      return Fail(
          "is not the input that the interrupted run had in this place; give the same "
          "inputs, or start again without --resume",
          path);
    }
    if (earlier.at(i) != now.at(i)) {
      return Fail("the input changed since the run was interrupted; start again without --resume",
                  path);
    }
  }
  return {};
}

Status CheckSameOptions(const nlohmann::json& earlier, const nlohmann::json& now) {
  for (const auto& [name, value] : now.items()) {
    const auto was = earlier.value(name, nlohmann::json());
    if (was == value) continue;
    return Fail("--" + name + " is " + value.dump() + " but was " +
                (was.is_null() ? "not there" : was.dump()) +
                " in the interrupted run; give the same options, or start again without --resume");
  }
  return {};
}

/// What is refused, and what is held at a time.
ReadLimits LimitsOf(const Job& job) {
  const ShingleSpec& shingle = job.features.shingle;
  const bool by_character = shingle.HasCharacters() || shingle.kind == ShingleSpec::Kind::kByte;
  const MemoryPlan memory = PlanMemory(job.options.memory, ThreadCount(job.options.threads));
  const RecordRoom room = RoomForRecords(memory, by_character);
  ReadLimits limits;
  limits.max_record = std::min(job.options.max_record, room.longest);
  limits.max_expansion = job.options.max_expansion;
  limits.alone = room.alone;
  return limits;
}

}  // namespace

bool IsPacked(const InputFile& file) {
  return file.codec != Codec::kNone || file.format == Format::kParquet;
}

std::vector<std::string> NamedInputs(const std::vector<std::string>& inputs,
                                     const Options& options) {
  std::vector<std::string> named = options.against;
  named.insert(named.end(), inputs.begin(), inputs.end());
  for (std::string& name : named) {
    if (SchemeOf(name) != "file") continue;
    if (auto path = PathOfFileUri(name)) name = *std::move(path);  // else discovery says why
  }
  return named;
}

std::vector<std::string> FilesRead(const std::vector<std::string>& inputs, const Options& options) {
  std::vector<std::string> read = NamedInputs(inputs, options);
  for (const std::string& table : {options.weights, options.stop_words}) {
    if (IsTablePath(table)) read.push_back(table);
  }
  return read;
}

Result<Job> BeginJob(const Options& options, bool all_pairs, bool may_estimate) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  LOOKALIKE_ASSIGN_OR_RETURN(job.method, ParseMethodOption(options.method));
  LOOKALIKE_RETURN_IF_ERROR(CheckVerified(options, job.method, all_pairs, may_estimate));
  job.options = options;
  LOOKALIKE_ASSIGN_OR_RETURN(job.features, ReadSetSpec(options));
  LOOKALIKE_RETURN_IF_ERROR(TakeSketch(&job));
  LOOKALIKE_ASSIGN_OR_RETURN(job.keep, ParseKeepOption(options.keep));
  if (job.estimates()) {
    job.sketch_bits = static_cast<uint32_t>(options.sketch_bits);
    job.options.audit_documents = 0;  // it compares features
  }
  LOOKALIKE_RETURN_IF_ERROR(TakeDesign(&job));
  ResolveRules(&job, all_pairs);
  job.limits = LimitsOf(job);
  job.limits.text_refusal = TextRefusal(job.features);
  return job;
}

namespace {

/// Whether options that texts do not go with may be of sketch files, which say how they are
/// compared.
bool MaySuitSketchFiles(const Options& options, bool all_pairs) {
  if (options.verify == "none" && !all_pairs) return false;
  Options estimated = options;
  if (options.verify.ends_with("exact")) estimated.verify = "sketch";
  return BeginJob(estimated, all_pairs, true).has_value();
}

}  // namespace

Result<Job> ResolveJob(const Inputs& inputs, const Options& options, bool all_pairs,
                       const std::string& spool_dir, bool is_spooled,
                       const ObjectReading& objects) {
  Result<Job> begun = BeginJob(options, all_pairs);
  if (!begun && !MaySuitSketchFiles(options, all_pairs)) return begun;
  Job job = begun ? *begun : Job();
  job.options = options;
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, spool_dir, is_spooled, objects, &job));
  if (job.measures_containment()) LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const bool has_sketches, TakeSketchFiles(all_pairs, &job));
  if (!has_sketches && !begun) return begun;
  if (!has_sketches) job.options = begun->options;
  TakePages(&job);
  LOOKALIKE_RETURN_IF_ERROR(CheckKeepSources(job));
  LOOKALIKE_ASSIGN_OR_RETURN(
      job.fields, ResolveFields(job.inputs, options.text_field, options.id_field, job.keep.field,
                                job.limits, FormOfTexts(job.features)));
  job.fields.weights = WeightsOfItems(job.features);
  MeasureInputs(&job);
  LOOKALIKE_RETURN_IF_ERROR(ChooseDesign(&job));
  if (job.design && job.SearchesFewByFeatures()) job.few.emplace(options.threshold);
  PlanRuns(&job);
  return job;
}

Result<Job> ResolveSketching(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  job.options = options;
  job.options.against.clear();
  job.options.skip_bad_inputs = false;
  LOOKALIKE_ASSIGN_OR_RETURN(job.features, ReadSetSpec(options));
  const bool samples = NamesSetSketch(options.sketch);
  if (!samples) {
    LOOKALIKE_ASSIGN_OR_RETURN(job.sketch, ParseSketch(options.sketch));
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckKeptBits(options, samples || !IsBandable(job.sketch.kind)));
  job.sketch_bits = static_cast<uint32_t>(options.sketch_bits);
  job.limits = LimitsOf(job);
  job.limits.text_refusal = TextRefusal(job.features);
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, spool_dir, false, objects, &job));
  TakePages(&job);
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(
      job.fields, ResolveFields(job.inputs, options.text_field, options.id_field, {}, job.limits,
                                FormOfTexts(job.features)));
  job.fields.weights = WeightsOfItems(job.features);
  MeasureInputs(&job);
  return job;
}

Result<Job> JobThatReads(const Inputs& inputs, const Options& options, FieldPaths fields,
                         const std::string& spool_dir, const ObjectReading& objects) {
  Job job;
  job.options = options;
  job.options.against.clear();
  job.fields = std::move(fields);
  job.limits = LimitsOf(job);
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, spool_dir, false, objects, &job));
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  MeasureInputs(&job);
  return job;
}

Result<Job> JobOfSketchFiles(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects) {
  Job job;
  job.options = options;
  job.options.against.clear();
  job.options.skip_bad_inputs = false;
  job.limits = LimitsOf(job);
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, spool_dir, false, objects, &job));
  for (const InputFile& file : job.inputs) {
    if (file.format == Format::kSketches) continue;
    return Fail("is no sketch file; give what lookalike sketch wrote", file.place());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, ReadSketchFronts(job));
  if (!found) return Fail("no input is a sketch file; give what lookalike sketch wrote");
  LOOKALIKE_ASSIGN_OR_RETURN(job.options,
                             AdoptSketches(found->stored, found->name, job.options, found->place));
  LOOKALIKE_RETURN_IF_ERROR(TakeSketch(&job));
  job.sketch_bits = static_cast<uint32_t>(job.options.sketch_bits);
  job.stored_features = found->stored.shingle;
  return job;
}

Result<Job> JobOfDistances(const Inputs& inputs, const Options& options, TextForm form,
                           const std::string& spool_dir, const ObjectReading& objects) {
  Job job;
  job.options = options;
  job.limits = LimitsOf(job);
  LOOKALIKE_ASSIGN_OR_RETURN(job.features.normal_form, ParseNormalForm(options.normalize));
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, spool_dir, false, objects, &job));
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(job.fields, ResolveFields(job.inputs, options.text_field,
                                                       options.id_field, {}, job.limits, form));
  if (form == TextForm::kNumbers) job.fields.weights = ItemWeights::kNumbers;
  MeasureInputs(&job);
  return job;
}

std::string JobDigest(const Job& job) {
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  std::string text = OptionsDigest(job.options, command);
  for (const std::string& field : {job.fields.text, job.fields.id, job.fields.keep}) {
    text += "\nfield=" + field;
  }
  text += fmt::format(
      "\nfingerprint=v{}\nfeatures={}\ndesign={}\nsmall={}\nlast={}\nleaders={}\nfloor={}\ncover={"
      "}",
      kFingerprintVersion, job.FeaturesName(), job.DesignName(), job.rules.small,
      job.rules.small_at_last, job.rules.leaders, job.rules.agreement_floor, job.rules.cover_floor);
  if (job.few) text += fmt::format("\nfew={}", FewFeatures::kFew);
  for (const Extension& extension : job.rules.extensions) {
    text += fmt::format("\nextension={}x{}", extension.keys, extension.rows);
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<std::string> DescribeJob(const Job& job) {
  using Json = nlohmann::ordered_json;
  Json inputs = Json::array();
  for (const InputFile& file : job.inputs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t edges, HashEdges(file));
    inputs.push_back({{"path", file.place()},
                      {"name", file.name},
                      {"size", file.size},
                      {"mtime_ns", file.mtime_ns},
                      {"edges_xxh3", edges}});
  }
  Json options = Json::object();
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  for (const auto& [name, value] : BehaviourOptions(job.options, command)) options[name] = value;
  const Json description = {
      {"version", LOOKALIKE_VERSION},
      {"unit_layout", kUnitLayout},
      {"options", options},
      {"options_digest", JobDigest(job)},
      {"design", job.DesignName()},
      {"fields", {{"text", job.fields.text}, {"id", job.fields.id}, {"keep", job.fields.keep}}},
      {"reference_inputs", job.reference_inputs},
      {"partitions", job.partitions()},
      {"inputs", inputs}};
  return description.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status CheckSameJob(const std::string& earlier, const std::string& now) {
  try {
    const auto then = nlohmann::json::parse(earlier), job = nlohmann::json::parse(now);
    if (then.at("version") != job.at("version")) {
      return Fail("the interrupted run was of version " + then.at("version").dump() +
                  "; start again without --resume");
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckSameOptions(then.at("options"), job.at("options")));
    LOOKALIKE_RETURN_IF_ERROR(CheckSameInputs(then.at("inputs"), job.at("inputs")));
    for (const char* name : {"unit_layout", "options_digest", "partitions", "reference_inputs"}) {
      if (then.at(name) == job.at(name)) continue;
      return Fail(std::string("the interrupted run had another ") + name +
                  "; start again without --resume");
    }
    return {};
  } catch (const nlohmann::json::exception&) {
    return Fail("the job of the interrupted run cannot be read; start again without --resume");
  }
}

Status CheckUnchanged(const InputFile& file) {
  if (file.table) return {};
  struct stat now = {};
  if (stat(file.path.c_str(), &now) != 0) {
    return Fail("the input is gone since the run began; run again", file.place());
  }
  const int64_t mtime = int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec;
  if (static_cast<uint64_t>(now.st_size) == file.size && mtime == file.mtime_ns) return {};
  return Fail("the input changed while it was read; run again when nothing writes to it",
              file.place());
}

}  // namespace lookalike
