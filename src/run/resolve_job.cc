#include "run/resolve_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "format/sketch_bytes.h"
#include "io/file_system.h"
#include "io/input_bytes.h"
#include "io/object_uri.h"
#include "lookalike/options_table.h"
#include "options/delimiter_option.h"
#include "options/feature_options.h"
#include "run/job_facts.h"
#include "run/memory_plan.h"
#include "run/process_limits.h"
#include "run/search_terms.h"
#include "run/sketch_inputs.h"
#include "run/units.h"
#include "stages/input/reader.h"
#include "stages/sketch/set_sketch.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// The number of times that a large bucket is split. Each split multiplies its records by the
/// number of extension keys. If the members are alike, or share a template, even further splits
/// would not make the bucket small.
constexpr uint32_t kRefinements = 1;

/// A bucket is split only if that is cheaper than comparing all its members: n members make n *
/// keys records at about 15 ns each, compared to n * n / 2 comparisons of codes at about 2 ns each.
constexpr uint64_t kSmallPerKey = 16;

/// Share of the allowed misses that one refinement of a large bucket may cause at the threshold.
constexpr double kRefineMissShare = 0.1;

/// Share of the allowed misses that the code filter may cause at the threshold.
constexpr double kCodeMissShare = 0.001;

/// Takes the requested design, if any.
Status TakeDesign(Job* job) {
  const Options& options = job->options;
  if (job->measures_containment()) return {};
  if (job->choices.method.has_keys() && !IsBandable(job->KeySketch().kind)) {
    return OptionError(
        "$<sketch=" + options.sketch +
        "> leaves bins empty, so band keys cannot be made from it; use another sketch, such as "
        "one-permutation:K, or $<verify=sketch> or $<method=exact>, which need no band keys");
  }
  if (!job->choices.method.has_keys() || options.design.empty()) return {};
  const uint32_t coordinates = job->KeySketch().coordinates;
  LOOKALIKE_ASSIGN_OR_RETURN(Design design, ParseDesign(options.design));
  if (design.keys == 0) {
    return OptionError("$<design=" + ToString(design) +
                       "> compares the sketches of all pairs and has no band keys: it only works "
                       "with plan without "
                       "inputs; use groups, bands or overlapping");
  }
  if (design.coordinates > coordinates) {
    return OptionError("$<design=" + ToString(design) + "> needs " +
                       std::to_string(design.coordinates) + " coordinates, but $<sketch> makes " +
                       std::to_string(coordinates) +
                       (job->estimates() && !job->Kept().HasKeys()
                            ? " for band keys, which are made from a sketch of the stored values; "
                              "use another design"
                            : "; use a $<sketch> with more"));
  }
  job->design = std::move(design);
  return {};
}

/// In large collections, the requested recall is promised only for pairs whose smaller document has
/// this many features or more; in other collections it always is.
constexpr uint64_t kPromisedFeatures = 200;

/// Bytes of text from which a collection counts as large, so that not all features are stored.
constexpr uint64_t kLargeCollection = uint64_t{4} << 30;

/// Chooses the samples that find containment, unless the exact join was requested.
Status ChooseSamples(Job* job) {
  const Options& options = job->options;
  if (!job->choices.method.has_keys()) return {};
  const uint64_t promised = job->sizes.AllBytes() < kLargeCollection ? 1 : kPromisedFeatures;
  const ContainmentDesign planned(options.threshold, options.recall, promised);
  job->containment = planned;
  if (job->choices.sketch_is_default) return {};
  const auto& sample = job->sample;
  if (!sample || sample->kind != SetSketchKind::kFracMinHash ||
      !std::has_single_bit(sample->parameter)) {
    return OptionError(
        "$<sketch=" + options.sketch +
        "> cannot be combined with $<measure=containment>; use fracminhash:S with S = 1, 2, 4 or "
        "another power of two, or leave it out");
  }
  job->containment = planned.WithBase(static_cast<uint32_t>(std::countr_zero(sample->parameter)));
  return {};
}

/// Stores the options, and derives from them everything that does not need the inputs.
Status TakeOptions(const Options& options, Job* job) {
  job->options = options;
  LOOKALIKE_ASSIGN_OR_RETURN(job->choices, ReadChoices(options));
  job->sketch = job->choices.sketch;
  job->sample = job->choices.sample;
  if (job->choices.text_fields.any()) job->search_field = 0;
  return {};
}

/// Returns the highest threshold of the text fields that are searched together.
double StrictestThreshold(const Job& job) {
  const std::vector<double>& by_field = job.choices.text_fields.thresholds;
  return by_field.empty() || job.search_field ? job.KeyThreshold()
                                              : *std::ranges::max_element(by_field);
}

void ResolveRules(Job* job, bool all_pairs) {
  const uint32_t codes = CodeCount(job->KeySketch().coordinates);
  const double threshold = job->KeyThreshold();
  job->rules.all_pairs = all_pairs;
  job->rules.guarded = !job->choices.guards.differ.empty();
  job->rules.agreement_floor =
      CodeAgreementFloor(threshold, codes, kCodeMissShare * (1 - job->PlannedRecall()));
  for (uint32_t level = 0; level < kRefinements; ++level) {
    job->rules.extensions.push_back(
        PlanExtension(threshold, 1 - kRefineMissShare * (1 - job->PlannedRecall()), codes, level));
  }
  job->rules.small = std::max(job->rules.small, kSmallPerKey * job->rules.extensions.front().keys);
  // Codes are of all fields together, and a leader must be alike in each: the strictest counts.
  job->rules.cover_floor = CoverFloor(StrictestThreshold(*job), codes);
  if (job->choices.verify == Verification::kNone) job->rules.agreement_floor = 0;  // all are wanted
  if (job->choices.verify == Verification::kSketchThenExact) {
    job->rules.agreement_floor = LeastEqual(threshold, codes, 8);  // bits of a code
  }
}

/// Chooses the design of each text field after the first, where each is searched by itself.
Status ChooseFurtherDesigns(Job* job) {
  if (!job->search_field || !job->design) return {};
  for (size_t field = 1; field < job->choices.text_fields.paths.size(); ++field) {
    if (!job->options.design.empty()) {
      job->further_designs.push_back(*job->design);
      continue;
    }
    const Job searching = JobOfField(*job, field);
    LOOKALIKE_ASSIGN_OR_RETURN(Design design, PlanDesign(searching, SizeOf(*job).documents));
    job->further_designs.push_back(std::move(design));
  }
  return {};
}

/// Chooses the design by predicted cost if none was requested; the exact join if no design reaches
/// the recall and no method was requested.
Status ChooseDesign(Job* job) {
  if (job->measures_containment()) return ChooseSamples(job);
  if (!job->choices.method.has_keys() || job->design) return ChooseFurtherDesigns(job);
  auto design = PlanDesign(*job, SizeOf(*job).documents);
  Status reached;
  if (design) {
    job->design = *std::move(design);
    reached = ChooseFurtherDesigns(job);
  } else {
    reached = tl::make_unexpected(std::move(design).error());
  }
  if (reached) return {};
  if (job->estimates() && !job->sample) {
    return OptionError(reached.error().what + ", which needs $<verify=exact>");
  }
  if (job->choices.method.kind != MethodOption::Kind::kAuto) return reached;
  job->design.reset();
  job->further_designs.clear();
  return {};
}

/// Checks that pairs can be estimated without features: by the keys of sketches, or by samples,
/// which are sets themselves.
Status CheckEstimated(const Job& job, bool may_estimate) {
  const Choices& choices = job.choices;
  if (!may_estimate && choices.estimates()) {
    return OptionError("$<verify='" + job.options.verify +
                       "'> is not allowed here, because every removal is verified exactly; use "
                       "exact, or list pairs with $(pairs verify=" +
                       job.options.verify + ")");
  }
  const bool needs_sketches = choices.verify != Verification::kExact;
  const bool samples = choices.sample && choices.estimates();
  if (!needs_sketches || choices.method.has_keys() || samples) return {};
  return OptionError("$<method=" + job.options.method +
                     "> cannot be combined with $<verify=" + job.options.verify +
                     ">: it joins the features of documents, which sketches do not have; pass only "
                     "one of the two");
}

/// Checks --sketch-bits: fewer than all bits can be kept only of coordinates that are never empty.
Status CheckKeptBits(const Options& options, bool must_be_whole) {
  if (!must_be_whole || options.sketch_bits == kWholeCoordinate) return {};
  return OptionError(
      fmt::format("$<sketch-bits={}> cannot be combined with $<sketch={}>, whose values are kept "
                  "whole; leave it out",
                  options.sketch_bits, options.sketch));
}

Status CheckContainment(const Job& job, bool all_pairs) {
  if (!job.measures_containment()) return {};
  if (job.choices.method.merges()) {
    return OptionError(
        "$<method=shingle-merge> cannot be combined with $<measure=containment>: it finds pairs by "
        "their resemblance; pass only one of the two");
  }
  if (all_pairs || !job.options.against.empty()) return {};
  return OptionError(
      "$<measure=containment> needs $<against>: a text that is part of another is not a duplicate "
      "of "
      "it. Name the collection whose texts must not be contained, such as a test set; to list "
      "what contains what, use $(pairs measure=containment)");
}

/// Checks that the sketch suits the search: a sample has no band keys, and a merge takes only
/// samples.
Status CheckSketch(const Job& job) {
  const Choices& choices = job.choices;
  if (choices.method.merges() && !choices.sample && !choices.sketch_is_default) {
    return OptionError(
        "$<sketch=" + job.options.sketch +
        "> cannot be combined with $<method=shingle-merge>, which merges shingles themselves or a "
        "sample of them; use mod-m:M, bottom-k:K or fracminhash:S, or leave it out");
  }
  const bool takes_samples =
      choices.method.merges() || choices.measures_containment() || choices.estimates();
  if (!choices.sample || takes_samples) return {};
  return OptionError(
      "$<sketch=" + job.options.sketch +
      "> is a sample without coordinates, from which no band keys can be made; use fss:K "
      "or permutations:K, or use it with $<method=shingle-merge>, $<measure=containment> or "
      "$<verify=sketch>");
}

/// Checks that documents can be compared by several texts.
Status CheckTexts(const Job& job) {
  if (!job.several_texts()) return {};
  const auto refuse = [](const std::string& option) {
    return OptionError("$<" + option +
                       "> cannot be combined with several $<text-field>, which are compared by "
                       "their resemblance as texts; name one text field, or leave it out");
  };
  const Options& options = job.options;
  if (job.measures_containment()) return refuse("measure=containment");
  if (job.estimates()) return refuse("verify=" + options.verify);
  if (job.choices.method.merges()) return refuse("method=" + options.method);
  if (options.weights != Options().weights) return refuse("weights=" + options.weights);
  const bool of_urls = job.features.shingle.kind == ShingleSpec::Kind::kUrl;
  if (of_urls || FormOfTexts(job.features) != TextForm::kText) {
    return refuse("shingle=" + options.shingle);
  }
  return {};
}

/// Checks that the choices for a search can be combined. `may_estimate`: pairs may be decided by
/// sketches alone.
Status CheckSearch(const Job& job, bool all_pairs, bool may_estimate) {
  LOOKALIKE_RETURN_IF_ERROR(CheckEstimated(job, may_estimate));
  LOOKALIKE_RETURN_IF_ERROR(CheckContainment(job, all_pairs));
  return CheckSketch(job);
}

Status CheckKeepSources(const Job& job, const KeepCriterion& criterion) {
  for (const std::string& name : criterion.sources) {
    const bool known = std::any_of(job.inputs.begin(), job.inputs.end(),
                                   [&](const InputFile& file) { return file.name == name; });
    if (known) continue;
    std::string names;
    for (size_t i = 0; i < std::min<size_t>(job.inputs.size(), 20); ++i) {
      names += (i == 0 ? "" : ", ") + std::string(job.inputs.NameOf(i));
    }
    return OptionError("$<keep=source>: no input is named '" + name + "'; the inputs are " + names);
  }
  return {};
}

Status CheckAllKeepSources(const Job& job) {
  for (const KeepCriterion& criterion : job.choices.keep.criteria) {
    LOOKALIKE_RETURN_IF_ERROR(CheckKeepSources(job, criterion));
  }
  return {};
}

/// Returns the size in bytes of a sample of a document of some kilobytes.
uint64_t TypicalSample(const SetSketchSpec& sample) {
  constexpr uint64_t kFeatures = 500;
  const bool bottom = sample.kind == SetSketchKind::kBottomK;
  return 8 * (bottom ? std::min(kFeatures, sample.parameter) : kFeatures / sample.parameter + 1);
}

/// Returns the size in bytes of a document's record in a sketch file, with an id of typical length.
uint64_t StoredBytes(const Job& job) {
  if (job.sample) return 40 + TypicalSample(*job.sample);
  return 40 + PackedBytes(job.sketch.coordinates, job.sketch_bits);
}

/// Estimates how large the inputs are.
void MeasureInputs(Job* job) {
  job->sizes = EstimateSizes(job->inputs, job->fields, job->limits, StoredBytes(*job));
}

/// Estimates the number of features in all samples for containment, from the average number of
/// bytes per feature.
uint64_t SampledFeatures(const Job& job) {
  constexpr uint64_t kBytesOfWord = 6;
  if (!job.containment) return 0;
  const auto kind = job.features.shingle.kind;
  const bool is_text = kind == ShingleSpec::Kind::kWord || kind == ShingleSpec::Kind::kCode;
  return job.sizes.AllBytes() / (is_text ? kBytesOfWord : 1) >> job.containment->base();
}

/// Predicts the size of runs, and divides keys into partitions of about 16 MiB each.
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

/// Refuses files of features that no index has handed over: nothing says what they were made of.
Status CheckFeatureFiles(const InputList& files, const Inputs& inputs) {
  for (const InputFile& file : files) {
    if (file.format != Format::kFeatures) continue;
    const auto is_it = [&](const auto& stand_in) { return stand_in.second == file.path; };
    if (std::any_of(inputs.stand_ins.begin(), inputs.stand_ins.end(), is_it)) continue;
    return InputError("is a file of features, which only an index can hand over; pass texts",
                      file.place());
  }
  return {};
}

Status FindInputs(const Inputs& inputs, const Resolving& resolving, Job* job) {
  Discovery how = {
      .spool_dir = resolving.spool_dir, .tables = &inputs.tables, .objects = resolving.objects};
  const InputForms forms = resolving.facts != nullptr ? resolving.facts->Forms() : InputForms();
  if (resolving.facts != nullptr) how.forms = &forms;
  how.delimiter = *ParseDelimiter(job->options.delimiter);
  if (resolving.is_spooled) how.standard_input = StandardInput::kSpooled;
  Options reading = job->options;
  for (std::string& name : reading.against) {
    const auto stand_in = inputs.stand_ins.find(name);
    if (stand_in != inputs.stand_ins.end()) name = stand_in->second;
  }
  LOOKALIKE_ASSIGN_OR_RETURN(FoundCollections found,
                             FindCollections(inputs.names, reading, std::move(how)));
  LOOKALIKE_RETURN_IF_ERROR(CheckFeatureFiles(found.inputs.files, inputs));
  job->inputs = std::move(found.inputs.files);
  job->left_out = std::move(found.inputs.left_out);
  job->reference_inputs = found.reference;
  return {};
}

/// Rejects sketch files for commands that need the texts.
Status RefuseSketchFiles(const InputList& inputs) {
  for (const InputFile& file : inputs) {
    if (file.format != Format::kSketches) continue;
    return InputError("is already a sketch file; the inputs must be texts", file.place());
  }
  return {};
}

/// Treats a text file as a page if all texts are treated as pages: its encoding is then detected
/// like theirs.
void TakePages(Job* job) {
  if (AppliedMode(job->features.pages, TextKind::kUnknown) == HtmlMode::kOff) return;
  for (size_t i = 0; i < job->inputs.size(); ++i) {
    if (job->inputs.FormatOf(i) == Format::kText) job->inputs.SetFormat(i, Format::kHtml);
  }
}

/// Returns the limits on the size of records, and on the data held at a time.
ReadLimits LimitsOf(const Job& job) {
  const ShingleSpec& shingle = job.features.shingle;
  const bool by_character = shingle.HasCharacters() || shingle.kind == ShingleSpec::Kind::kByte;
  const MemoryPlan memory = PlanMemory(job.options.memory, ThreadCount(job.options.threads));
  const RecordRoom room = RoomForRecords(memory, by_character);
  ReadLimits limits;
  limits.max_record = std::min(job.options.max_record, room.longest);
  limits.max_expansion = job.options.max_expansion;
  limits.alone = room.alone;
  limits.max_part = room.part;
  return limits;
}

}  // namespace

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

Result<FoundCollections> FindCollections(const std::vector<std::string>& names,
                                         const Options& options, Discovery how) {
  const std::vector<std::string>& against = options.against;
  how.rules = {options.include, options.exclude, options.follow_links};
  if (options.skip_bad_inputs) how.unreadable = UnreadableInputs::kList;
  const auto reads_stdin = [](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), "-") != all.end();
  };
  if (reads_stdin(against) && reads_stdin(names)) {
    return UsageError("standard input (-) is named twice; name it once");
  }
  FoundCollections found;
  // Each collection has its own names: train/part.jsonl and test/part.jsonl are both part.jsonl.
  if (!against.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(found.inputs, DiscoverInputs(against, how));
    found.reference = static_cast<uint32_t>(found.inputs.files.size());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(FoundInputs second, DiscoverInputs(names, how));
  if (against.empty()) return FoundCollections{std::move(second), 0};
  for (const InputFile& file : second.files) found.inputs.files.Add(file);
  found.inputs.left_out.Add(second.left_out);
  LOOKALIKE_RETURN_IF_ERROR(CheckGivenOnce(found.inputs.files));
  return found;
}

std::vector<std::string> FilesRead(const std::vector<std::string>& inputs, const Options& options) {
  std::vector<std::string> read = NamedInputs(inputs, options);
  for (const std::string& table : {options.weights, options.stop_words}) {
    if (IsTablePath(table)) read.push_back(table);
  }
  if (!options.decisions.empty()) read.push_back(options.decisions);
  return read;
}

Result<Job> BeginJob(const Options& options, bool all_pairs, bool may_estimate) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(options, &job));
  LOOKALIKE_RETURN_IF_ERROR(CheckSearch(job, all_pairs, may_estimate));
  LOOKALIKE_ASSIGN_OR_RETURN(job.features, ReadSetSpec(options));
  LOOKALIKE_RETURN_IF_ERROR(CheckTexts(job));
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

/// True if options that do not suit texts may suit sketch files, which decide how they are
/// compared.
bool MaySuitSketchFiles(const Options& options, bool all_pairs) {
  const auto choices = ReadChoices(options);
  if (!choices || (choices->verify == Verification::kNone && !all_pairs)) return false;
  return BeginJob(Estimating(options, *choices), all_pairs, true).has_value();
}

/// Makes the readers read what is compared besides the first text: values that guards compare, and
/// further texts (TextFields), in this order.
void AskForOthers(Job* job) {
  job->fields.others = job->choices.guards.fields;
  const std::vector<std::string>& texts = job->choices.text_fields.paths;
  if (!job->choices.text_fields.several()) return;
  job->fields.others.insert(job->fields.others.end(), texts.begin() + 1, texts.end());
  job->fields.more_texts = texts.size() - 1;
}

/// Returns the fields that guards name, with the options that name them.
std::vector<NamedField> FieldsOfGuards(const GuardSpec& guards) {
  std::vector<NamedField> named;
  for (const Guard& guard : guards.differ) {
    if (guard.kind == Guard::Kind::kField) named.push_back({guard.argument, "differ"});
  }
  for (const size_t field : guards.same) named.push_back({guards.fields[field], "same"});
  for (const size_t field : guards.not_same) named.push_back({guards.fields[field], "not-same"});
  return named;
}

/// Checks that each of these fields is in a record at the front of the inputs, since a name that is
/// misspelt would compare nothing.
Status CheckOthers(Job* job) {
  std::vector<NamedField> named = FieldsOfGuards(job->choices.guards);
  LOOKALIKE_RETURN_IF_ERROR(CheckHaveFields(job->inputs, named));
  const std::vector<std::string>& texts = job->choices.text_fields.paths;
  for (size_t i = 1; i < texts.size(); ++i) named.push_back({texts[i], "text-field"});
  return named.empty() ? Status() : CheckFields(job->inputs, named, job->limits);
}

/// Takes the fields that the keep policy compares.
void TakeKeepFields(Job* job) {
  std::vector<std::string> fields = job->choices.keep.Fields();
  if (fields.empty()) return;
  job->fields.keep = std::move(fields.front());
  fields.erase(fields.begin());
  job->fields.more_keep = std::move(fields);
}

/// Settles the fields and estimates the sizes, by opening inputs.
Status LookInside(Job* job) {
  const Options& options = job->options;
  const std::string text_field = options.text_field.empty() ? "" : options.text_field.front();
  LOOKALIKE_ASSIGN_OR_RETURN(
      job->fields, ResolveFields(job->inputs, text_field, options.id_field, {}, job->limits,
                                 FormOfTexts(job->features)));
  TakeKeepFields(job);
  job->fields.weights = WeightsOfItems(job->features);
  LOOKALIKE_RETURN_IF_ERROR(CheckOthers(job));
  AskForOthers(job);
  MeasureInputs(job);
  return CheckStores(job->inputs);
}

/// Does the same by what is known.
void TakeFacts(const JobFacts& facts, Job* job) {
  job->fields.text = facts.text_field;
  job->fields.id = facts.id_field;
  job->fields.any = facts.any;
  job->fields.id_seen = facts.id_seen;
  TakeKeepFields(job);
  AskForOthers(job);
  job->fields.form = FormOfTexts(job->features);
  job->fields.weights = WeightsOfItems(job->features);
  job->sizes = facts.Sizes();
  job->cuts = facts.Cuts();
}

}  // namespace

Result<Job> ResolveJob(const Inputs& inputs, const Options& options, const Resolving& how) {
  Result<Job> begun = BeginJob(options, how.all_pairs);
  if (!begun && !MaySuitSketchFiles(options, how.all_pairs)) return begun;
  Job job = begun ? *begun : Job();
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(options, &job));
  LOOKALIKE_ASSIGN_OR_RETURN(job.people, ReadDecisionsInput(options, job.choices));
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, how, &job));
  if (job.measures_containment() || job.choices.guards.any() || job.several_texts() ||
      job.people.given()) {
    LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const bool has_sketches, TakeSketchFiles(how.all_pairs, &job));
  if (!has_sketches && !begun) return begun;
  if (!has_sketches) job.options = begun->options;
  TakePages(&job);
  LOOKALIKE_RETURN_IF_ERROR(CheckAllKeepSources(job));
  if (how.facts != nullptr) {
    TakeFacts(*how.facts, &job);
  } else {
    LOOKALIKE_RETURN_IF_ERROR(LookInside(&job));
  }
  LOOKALIKE_RETURN_IF_ERROR(ChooseDesign(&job));
  if (job.design && job.SearchesFewByFeatures()) job.few.emplace(job.KeyThreshold());
  PlanRuns(&job);
  return job;
}

Job JobOfField(const Job& job, size_t field) {
  Job searching = job;
  searching.search_field = field;
  searching.rules = BucketRules();
  ResolveRules(&searching, job.rules.all_pairs);
  if (field != 0 && field <= job.further_designs.size()) {
    searching.design = job.further_designs[field - 1];
    searching.few.reset();
    if (searching.SearchesFewByFeatures()) searching.few.emplace(searching.KeyThreshold());
    PlanRuns(&searching);
  }
  return searching;
}

Result<Job> JobInMemory(const Options& options, uint64_t documents, bool all_pairs) {
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const std::string text_field, OnlyTextField(options));
  LOOKALIKE_ASSIGN_OR_RETURN(Job job, BeginJob(options, all_pairs, false));
  if (!job.design && job.choices.method.has_keys()) {
    LOOKALIKE_ASSIGN_OR_RETURN(job.design, PlanDesign(job, static_cast<double>(documents)));
  }
  if (job.design && job.SearchesFewByFeatures()) job.few.emplace(job.KeyThreshold());
  return job;
}

bool PlanForFewerMisses(Job* job) {
  constexpr uint32_t kFewer = 10;
  if (job->fewer_misses != 1 || !job->design || !job->options.design.empty()) return false;
  Job planned = *job;
  planned.fewer_misses = kFewer;
  planned.rules = BucketRules();
  ResolveRules(&planned, job->rules.all_pairs);
  auto design = PlanDesign(planned, SizeOf(planned).documents);
  if (!design || ToString(*design) == ToString(*job->design)) return false;
  planned.design = *std::move(design);
  PlanRuns(&planned);
  *job = std::move(planned);
  return true;
}

Result<Job> ResolveSketching(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects) {
  Options strict = options;
  strict.skip_bad_inputs = false;
  return ResolveReading(inputs, strict, spool_dir, objects);
}

Result<Job> ResolveReading(const Inputs& inputs, const Options& options,
                           const std::string& spool_dir, const ObjectReading& objects) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(options, &job));
  job.options.against.clear();
  LOOKALIKE_ASSIGN_OR_RETURN(job.features, ReadSetSpec(options));
  LOOKALIKE_RETURN_IF_ERROR(
      CheckKeptBits(options, job.sample.has_value() || !IsBandable(job.sketch.kind)));
  job.sketch_bits = static_cast<uint32_t>(options.sketch_bits);
  job.limits = LimitsOf(job);
  job.limits.text_refusal = TextRefusal(job.features);
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, {.spool_dir = spool_dir, .objects = objects}, &job));
  TakePages(&job);
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_field, OnlyTextField(options));
  LOOKALIKE_ASSIGN_OR_RETURN(job.fields, ResolveFields(job.inputs, text_field, options.id_field, {},
                                                       job.limits, FormOfTexts(job.features)));
  if (!options.metadata_field.empty()) {
    const NamedField named[] = {{options.metadata_field, "metadata-field"}};
    LOOKALIKE_RETURN_IF_ERROR(CheckFields(job.inputs, named, job.limits));
    job.fields.keep = options.metadata_field;
    job.fields.keep_as_text = true;
  }
  if (const auto named = FieldsOfGuards(job.choices.guards); !named.empty()) {
    LOOKALIKE_RETURN_IF_ERROR(CheckHaveFields(job.inputs, named));
    LOOKALIKE_RETURN_IF_ERROR(CheckFields(job.inputs, named, job.limits));
    job.fields.others = job.choices.guards.fields;
  }
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
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, {.spool_dir = spool_dir, .objects = objects}, &job));
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
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, {.spool_dir = spool_dir, .objects = objects}, &job));
  for (const InputFile& file : job.inputs) {
    if (file.format == Format::kSketches) continue;
    return InputError("is not a sketch file; use files that $(sketch) wrote", file.place());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, ReadSketchFronts(job));
  if (!found) return InputError("no input is a sketch file; use files that $(sketch) wrote");
  LOOKALIKE_ASSIGN_OR_RETURN(const Options adopted,
                             AdoptSketches(found->stored, found->name, job.options, found->place));
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(adopted, &job));
  job.sketch_bits = static_cast<uint32_t>(job.options.sketch_bits);
  job.stored_features = found->stored.shingle;
  return job;
}

Result<Job> JobOfTexts(const Inputs& inputs, const Options& options, const std::string& spool_dir,
                       const ObjectReading& objects) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(options, &job));
  LOOKALIKE_ASSIGN_OR_RETURN(job.features, ReadSetSpec(options));
  job.limits = LimitsOf(job);
  job.limits.text_refusal = TextRefusal(job.features);
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, {.spool_dir = spool_dir, .objects = objects}, &job));
  TakePages(&job);
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_RETURN_IF_ERROR(CheckAllKeepSources(job));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_field, OnlyTextField(options));
  LOOKALIKE_ASSIGN_OR_RETURN(
      job.fields, ResolveFields(job.inputs, text_field, options.id_field, {}, job.limits));
  TakeKeepFields(&job);
  MeasureInputs(&job);
  return job;
}

Result<Job> JobOfDistances(const Inputs& inputs, const Options& options, TextForm form,
                           const std::string& spool_dir, const ObjectReading& objects) {
  Job job;
  LOOKALIKE_RETURN_IF_ERROR(TakeOptions(options, &job));
  job.limits = LimitsOf(job);
  LOOKALIKE_ASSIGN_OR_RETURN(job.features.normal_form, ParseNormalForm(options.normalize));
  LOOKALIKE_RETURN_IF_ERROR(FindInputs(inputs, {.spool_dir = spool_dir, .objects = objects}, &job));
  LOOKALIKE_RETURN_IF_ERROR(RefuseSketchFiles(job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text_field, OnlyTextField(options));
  LOOKALIKE_ASSIGN_OR_RETURN(
      job.fields, ResolveFields(job.inputs, text_field, options.id_field, {}, job.limits, form));
  if (form == TextForm::kNumbers) job.fields.weights = ItemWeights::kNumbers;
  MeasureInputs(&job);
  return job;
}

}  // namespace lookalike
