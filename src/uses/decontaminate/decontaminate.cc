#include "lookalike/decontaminate.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "format/json_text.h"
#include "io/file_system.h"
#include "io/object_uri.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "io/utf8.h"
#include "lookalike/options_table.h"
#include "results/summary_parts.h"
#include "results/texts_manifest.h"
#include "run/file_result.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "run/memory_plan.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "text/code_points_before.h"
#include "uses/decontaminate/benchmarks.h"
#include "uses/decontaminate/item_cuts.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/cutting.h"
#include "uses/passages/kept_records.h"
#include "uses/passages/lines.h"
#include "uses/passages/shorten.h"

namespace lookalike {
namespace {

constexpr std::array<std::string_view, 3> kActions = {"report", "drop", "cut"};

/// The items that were found in a batch.
struct FoundBatch {
  PassItem item;  ///< With the texts that are left of documents.
  std::vector<uint8_t> keep;
  std::vector<uint32_t> found;  ///< Items, once for each document that has one.
  uint64_t documents = 0, contaminated = 0, cuts = 0, cut_bytes = 0, bytes = 0;
  uint64_t null_text = 0, repaired_text = 0;
  std::string found_lines, cut_lines, dropped_lines;
  Status status;
};

/// Looks for items in documents. One per thread.
struct Reader {
  Reader(const Benchmarks& benchmarks, const FeatureSpec& spec)
      : extractor(spec), finder(benchmarks.index), cutter(benchmarks, spec) {}
  FeatureExtractor extractor;
  ItemFinder finder;
  ItemCutter cutter;
};

class Search {
 public:
  Search(const Job& job, const Job& bench, const Benchmarks& benchmarks, ContaminationAction action)
      : job_(job), bench_(bench), benchmarks_(benchmarks), action_(action), readers_([&] {
          return Reader(benchmarks_, job_.features);
        }) {}

  FoundBatch Find(PassItem item) {
    FoundBatch batch;
    Reader& reader = readers_.local();
    batch.keep.assign(item.batch.documents.size(), 1);
    std::vector<DocumentCuts> shortened;
    std::vector<std::unique_ptr<ItemCuts>> cuts;
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const Document& document = item.batch.documents[i];
      ++batch.documents;
      batch.bytes += document.raw.empty() ? document.text.size() : document.raw.size();
      batch.null_text += document.null_text;
      const auto features = reader.extractor.Features(document.text, document.kind);
      batch.repaired_text += document.repaired || reader.extractor.replaced_invalid();
      const auto found = reader.finder.Find(features);
      if (found.empty()) continue;
      ++batch.contaminated;
      const auto units = ReadUnits(document.text, job_.features, document.kind);
      const std::vector<ItemSpan> spans = Describe(item.batch, i, found, *units, &batch);
      if (action_ == ContaminationAction::kReport) continue;
      std::unique_ptr<ItemCuts> own;
      if (action_ == ContaminationAction::kCut && !document.repaired && IsUtf8(document.text)) {
        own = std::make_unique<ItemCuts>(reader.cutter.Cut(document.text, *units, spans));
      }
      if (own == nullptr || !own->is_clean) {
        batch.keep[i] = 0;
        DescribeDropped(item.batch, i, &batch);
        continue;
      }
      DescribeCuts(item.batch, i, own->cuts, &batch);
      shortened.push_back({i, own->cuts});
      cuts.push_back(std::move(own));
    }
    if (!shortened.empty()) {
      batch.status =
          ShortenTexts(job_.inputs[item.batch.source], job_.fields, shortened, &item.batch);
    }
    batch.item = std::move(item);
    return batch;
  }

 private:
  void AppendNamed(const DocumentBatch& batch, size_t i, std::string* line) const {
    const Document& document = batch.documents[i];
    AppendDocument(job_, batch.source, document.row,
                   IdOf(document, job_.inputs.NameOf(batch.source)), line);
  }

  void AppendItem(const BenchmarkItem& item, std::string* line) const {
    *line += R"("benchmark": )";
    AppendJsonString(line, bench_.inputs[item.source].name);
    *line += R"(, "item": )";
    AppendJsonString(line, item.id);
  }

  /// Appends a line for each item, and returns where they stand.
  std::vector<ItemSpan> Describe(const DocumentBatch& batch, size_t i,
                                 std::span<const FoundItem> found, const UnitText& units,
                                 FoundBatch* to) const {
    std::vector<ItemSpan> all;
    std::string& line = to->found_lines;
    for (const FoundItem& one : found) {
      const BenchmarkItem& item = benchmarks_.items[one.item];
      to->found.push_back(one.item);
      const auto item_units = ReadUnits(item.text, job_.features, item.kind);
      const std::vector<ItemSpan> spans = SpansOf(units, one.item, *item_units, job_.features);
      line += '{';
      AppendNamed(batch, i, &line);
      line += ", ";
      AppendItem(item, &line);
      fmt::format_to(std::back_inserter(line), R"(, "share": {}, "spans": [)", one.share());
      for (const ItemSpan& span : spans) {
        const Passage& place = span.passage;
        fmt::format_to(std::back_inserter(line),
                       R"({}{{"begin": {}, "end": {}, "item_begin": {}, "item_end": {}}})",
                       &span == spans.data() ? "" : ", ", place.a_begin, place.a_end, place.b_begin,
                       place.b_end);
      }
      line += "]}\n";
      all.insert(all.end(), spans.begin(), spans.end());
    }
    return all;
  }

  void DescribeDropped(const DocumentBatch& batch, size_t i, FoundBatch* to) const {
    to->dropped_lines += '{';
    AppendNamed(batch, i, &to->dropped_lines);
    to->dropped_lines += "}\n";
  }

  void DescribeCuts(const DocumentBatch& batch, size_t i, std::span<const TextCut> cuts,
                    FoundBatch* to) const {
    const std::string_view text = batch.documents[i].text;
    std::string& line = to->cut_lines;
    CodePointsBefore code_points(text);
    for (const TextCut& cut : cuts) {
      line += '{';
      AppendNamed(batch, i, &line);
      const uint64_t begin = code_points.At(cut.bytes.begin);
      fmt::format_to(std::back_inserter(line), R"(, "begin": {}, "end": {}, )", begin,
                     code_points.At(cut.bytes.end));
      AppendItem(benchmarks_.items[cut.same_doc], &line);
      line += "}\n";
      to->cut_bytes += cut.bytes.end - cut.bytes.begin;
    }
    to->cuts += cuts.size();
  }

  const Job& job_;
  const Job& bench_;
  const Benchmarks& benchmarks_;
  ContaminationAction action_;
  tbb::enumerable_thread_specific<Reader> readers_;
};

/// Writes what a search finds, in order.
class ContaminationFiles {
 public:
  ContaminationFiles(const Job& job, const Job& bench, const Benchmarks& benchmarks,
                     ContaminationAction action, const Observer& observer, std::string folder)
      : job_(job),
        bench_(bench),
        benchmarks_(benchmarks),
        action_(action),
        observer_(observer),
        folder_(std::move(folder)),
        often_(benchmarks.items.size()) {}

  Status Begin() {
    LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(folder_ + "/x", RealFileSystem()));
    LOOKALIKE_ASSIGN_OR_RETURN(found_, Create("found.jsonl"));
    if (action_ == ContaminationAction::kReport) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(KeptRecords records, KeptRecords::Begin(job_, folder_));
    records_.emplace(std::move(records));
    LOOKALIKE_ASSIGN_OR_RETURN(dropped_, Create("dropped.jsonl"));
    if (action_ == ContaminationAction::kDrop) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(cuts_, Create("cuts.jsonl"));
    return {};
  }

  Status Take(const FoundBatch& batch) {
    LOOKALIKE_RETURN_IF_ERROR(batch.status);
    const PassItem& item = batch.item;
    RecordCounts& records = summary_.records;
    if (item.end_of_source) TakeSkipped(observer_, item.bad, &records);
    for (const Rejection& rejection : item.batch.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, item.batch.source, rejection, ++records.rejected));
    }
    records.in += batch.documents + item.batch.rejections.size();
    const auto dropped = static_cast<uint64_t>(std::ranges::count(batch.keep, 0));
    records.kept += batch.documents - dropped;
    records.removed_near += dropped;
    records.null_text += batch.null_text;
    records.repaired_text += batch.repaired_text;
    for (const uint32_t one : batch.found) ++often_[one];
    summary_.contaminated += batch.contaminated;
    summary_.found += batch.found.size();
    summary_.cuts += batch.cuts;
    summary_.cut_bytes += batch.cut_bytes;
    summary_.bytes_in += batch.bytes;
    LOOKALIKE_RETURN_IF_ERROR(found_->Write(batch.found_lines));
    if (records_) LOOKALIKE_RETURN_IF_ERROR(records_->Take(item, batch.keep));
    if (dropped_) LOOKALIKE_RETURN_IF_ERROR(dropped_->Write(batch.dropped_lines));
    return cuts_ ? cuts_->Write(batch.cut_lines) : Status();
  }

  Result<ContaminationSummary> End() {
    LOOKALIKE_RETURN_IF_ERROR(found_->Close());
    if (records_) LOOKALIKE_RETURN_IF_ERROR(records_->End());
    for (auto* file : {&dropped_, &cuts_}) {
      if (*file) LOOKALIKE_RETURN_IF_ERROR((*file)->Close());
    }
    LOOKALIKE_RETURN_IF_ERROR(WriteItems());
    summary_.records.reference = benchmarks_.items.size();
    summary_.records.rejected_reference = benchmarks_.rejected;
    summary_.records.left_out_inputs = job_.left_out.count();
    summary_.fields = job_.FieldsRead();
    return std::move(summary_);
  }

 private:
  Result<std::unique_ptr<OutputStream>> Create(const char* name) const {
    return OutputStream::Create(folder_ + "/" + name, Codec::kNone);
  }

  /// Writes how often each item was found, and counts by benchmark.
  Status WriteItems() {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto file, Create("items.jsonl"));
    for (const InputFile& input : bench_.inputs) summary_.benchmarks.push_back({input.name});
    for (size_t i = 0; i < benchmarks_.items.size(); ++i) {
      const BenchmarkItem& item = benchmarks_.items[i];
      BenchmarkSummary& benchmark = summary_.benchmarks[item.source];
      ++benchmark.items;
      benchmark.too_short += item.too_short ? 1 : 0;
      benchmark.found_items += often_[i] > 0 ? 1 : 0;
      benchmark.found += often_[i];
      std::string line = R"({"benchmark": )";
      AppendJsonString(&line, benchmark.name);
      line += R"(, "item": )";
      AppendJsonString(&line, item.id);
      fmt::format_to(std::back_inserter(line), R"(, "row": {}, "words": {}, "found": {})", item.row,
                     item.words, often_[i]);
      line += item.too_short ? ", \"too_short\": true}\n" : "}\n";
      LOOKALIKE_RETURN_IF_ERROR(file->Write(line));
    }
    return file->Close();
  }

  const Job& job_;
  const Job& bench_;
  const Benchmarks& benchmarks_;
  ContaminationAction action_;
  const Observer& observer_;
  std::string folder_;
  std::vector<uint64_t> often_;  ///< By item.
  std::unique_ptr<OutputStream> found_, cuts_, dropped_;
  std::optional<KeptRecords> records_;
  ContaminationSummary summary_;
};

/// The arguments of one call of Decontaminate.
struct ContaminationCall {
  const Inputs& inputs;
  const ContaminationRules& rules;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

/// Returns the job that reads the benchmarks.
Result<Job> JobOfBenchmarks(const ContaminationCall& call, const std::string& spool) {
  Options options = call.options;
  options.against.clear();
  options.keep.clear();
  if (!call.rules.item_field.empty()) options.text_field = {call.rules.item_field};
  if (!call.rules.item_id_field.empty()) options.id_field = call.rules.item_id_field;
  Inputs benchmarks(call.options.against, call.inputs.tables);
  return JobOfTexts(benchmarks, options, spool, call.objects);
}

Status WriteManifest(const Job& job, const Job& bench, const ContaminationRules& rules,
                     const ContaminationSummary& summary, const std::string& path) {
  using Json = nlohmann::ordered_json;
  Json words = {{"action", NameOf(rules.action)}, {"min_words", rules.min_words}};
  for (const auto& [name, least] : rules.min_words_of) words["min_words_of"][name] = least;
  Json inputs = InputsJson(job);
  for (Json& input : InputsJson(bench, true)) inputs.push_back(std::move(input));
  Json manifest = TextsManifest(job,
                                {.command = Command::kDecontaminate,
                                 .summary = ToJson(summary),
                                 .rules = std::move(words),
                                 .seconds = summary.seconds,
                                 .cpu_seconds = summary.cpu_seconds,
                                 .peak_memory_bytes = summary.peak_memory_bytes},
                                std::move(inputs));
  manifest["features"] = job.FeaturesName();
  return WriteManifestFile(manifest, path);
}

Result<ContaminationSummary> RunIn(const ContaminationCall& call, PendingOutput* pending) {
  const RunCost cost;
  const std::string spool = pending->path("spool");
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  Options options = call.options;
  options.against.clear();
  options.keep.clear();
  LOOKALIKE_ASSIGN_OR_RETURN(const Job bench, JobOfBenchmarks(call, spool));
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobOfTexts(call.inputs, options, spool, call.objects));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(job.inputs));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(bench.inputs));
  const ShingleSpec& shingle = job.features.shingle;
  if (shingle.kind != ShingleSpec::Kind::kWord || job.features.HasWeights()) {
    return OptionError(
        "items are found by runs of words; use word:N as $<shingle>, without weights");
  }
  const ContaminationAction action = call.rules.action;
  if (action == ContaminationAction::kCut) LOOKALIKE_RETURN_IF_ERROR(CheckCanCut(job));
  const MemoryPlan memory = PlanMemory(call.options.memory, ThreadCount(call.options.threads));
  LOOKALIKE_ASSIGN_OR_RETURN(const Benchmarks benchmarks,
                             ReadBenchmarks(bench, call.rules, memory, call.observer));
  Search search(job, bench, benchmarks, action);
  ContaminationFiles files(job, bench, benchmarks, action, call.observer, pending->result());
  LOOKALIKE_RETURN_IF_ERROR(files.Begin());
  const ReadColumns columns =
      action == ContaminationAction::kReport ? ReadColumns::kFields : ReadColumns::kAll;
  PassReader reader(job, nullptr, columns, "search", call.observer, {.ahead = memory.ahead});
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return search.Find(std::move(item)); },
      [&](const FoundBatch& batch) { return files.Take(batch); }, memory.batches));
  LOOKALIKE_ASSIGN_OR_RETURN(ContaminationSummary summary, files.End());
  cost.FillIn(&summary);
  LOOKALIKE_RETURN_IF_ERROR(
      WriteManifest(job, bench, call.rules, summary, pending->result_path("manifest.json")));
  return summary;
}

}  // namespace

std::string_view NameOf(ContaminationAction action) {
  return kActions[static_cast<size_t>(action)];
}

std::optional<ContaminationAction> ContaminationActionOf(std::string_view name) {
  const auto found = std::ranges::find(kActions, name);
  if (found == kActions.end()) return std::nullopt;
  return static_cast<ContaminationAction>(found - kActions.begin());
}

Result<ContaminationSummary> Decontaminate(const Inputs& inputs, const std::string& output,
                                           const ContaminationRules& rules, const Options& options,
                                           const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  if (options.against.empty()) {
    return OptionError("no benchmark is given; name its files with $<against>");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  if (IsObjectUri(place)) {
    return UsageError(
        "the result is written to a folder on this machine, not to a store; name one");
  }
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, place);
  const ContaminationCall call{inputs, rules, options, objects, steady};
  return MakeLocalFolder(place, {FilesRead(inputs.names, options), options, objects, steady},
                         [&](PendingOutput* pending) { return RunIn(call, pending); });
}

}  // namespace lookalike
