#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "lookalike/lookalike.h"
#include "lookalike/result_folder.h"
#include "lookalike/sketch_file.h"
#include "lookalike/store_copy.h"
#include "run.h"

namespace lookalike::python {

namespace nb = nanobind;

nb::dict RecordsDict(const RecordCounts& records) {
  nb::dict dict;
  dict["in"] = records.in;
  dict["kept"] = records.kept;
  dict["removed_exact"] = records.removed_exact;
  dict["removed_near"] = records.removed_near;
  dict["rejected"] = records.rejected;
  dict["null_text"] = records.null_text;
  dict["repaired_text"] = records.repaired_text;
  dict["repeated_ids"] = records.repeated_ids;
  dict["too_short"] = records.too_short;
  dict["too_short_reference"] = records.too_short_reference;
  dict["skipped_inputs"] = records.skipped_inputs;
  dict["left_out_inputs"] = records.left_out_inputs;
  dict["reference"] = records.reference;
  dict["rejected_reference"] = records.rejected_reference;
  return dict;
}

nb::dict FieldsDict(const FieldNames& fields) {
  const auto named = [](const std::string& name) -> nb::object {
    return name.empty() ? nb::none() : nb::object(nb::str(name.c_str(), name.size()));
  };
  nb::dict dict;
  dict["text"] = named(fields.text);
  dict["id"] = named(fields.id);
  return dict;
}

namespace {

nb::dict ToDict(const RecallAudit& recall) {
  nb::dict dict;
  dict["asked"] = recall.asked;
  dict["estimate"] = recall.estimate;
  dict["low"] = recall.low;
  dict["high"] = recall.high;
  dict["matched"] = recall.matched;
  dict["sampled_documents"] = recall.sampled_documents;
  dict["sampled_pairs"] = recall.sampled_pairs;
  dict["left_over"] = recall.left_over;
  dict["met"] = recall.met;
  nb::dict covers;
  covers["documents"] = recall.covers.documents;
  covers["left_out"] = recall.covers.left_out;
  covers["min_features"] = recall.covers.min_features;
  dict["covers"] = covers;
  return dict;
}

/// Returns the summary of a search by pairs or nearest; `counted` names what `count` counts.
template <class Summary>
nb::dict FoundDict(const char* counted, uint64_t count, const Summary& summary) {
  nb::dict dict = SummaryDict(summary);
  dict["recall"] = ToDict(summary.recall);
  dict[counted] = count;
  dict["cpu_seconds"] = summary.cpu_seconds;
  return dict;
}

nb::dict ToDict(const PairsSummary& summary) { return FoundDict("pairs", summary.pairs, summary); }

nb::dict ToDict(const NearestSummary& summary) {
  return FoundDict("neighbours", summary.neighbours, summary);
}

nb::dict ToDict(const PlannedSearch& search) {
  nb::dict dict;
  dict["design"] = search.design;
  dict["keys"] = search.keys;
  dict["recall_at_threshold"] = search.recall_at_threshold;
  dict["recall"] = search.recall;
  dict["candidates"] = search.candidates;
  dict["seconds"] = search.seconds;
  dict["memory_bytes"] = search.memory_bytes;
  dict["disk_bytes"] = search.disk_bytes;
  dict["reaches_recall"] = search.reaches_recall;
  dict["fits"] = search.fits;
  dict["acceptance"] = search.acceptance;
  return dict;
}

nb::dict ToDict(const PlanReport& report) {
  nb::dict dict;
  dict["fields"] = FieldsDict(report.fields);
  dict["documents"] = report.documents;
  dict["bytes"] = report.bytes;
  dict["plain_bytes"] = report.plain_bytes;
  dict["documents_read"] = report.documents_read;
  dict["read_whole"] = report.read_whole;
  dict["read_front"] = report.read_front;
  dict["features"] = report.features;
  dict["pairs"] = report.pairs;
  dict["copy_pairs"] = report.copy_pairs;
  dict["similarity"] = report.similarity;
  nb::list searches;
  for (const PlannedSearch& search : report.searches) searches.append(ToDict(search));
  dict["searches"] = searches;
  dict["chosen"] = report.chosen;
  dict["cheapest"] = report.cheapest;
  return dict;
}

nb::dict ToDict(const Comparison& comparison) {
  nb::dict dict;
  dict["resemblance"] = comparison.resemblance;
  dict["exact"] = comparison.exact;
  dict["standard_error"] = comparison.standard_error;
  dict["containment_ab"] = comparison.containment_ab;
  dict["containment_ba"] = comparison.containment_ba;
  dict["common"] = comparison.common;
  dict["size_a"] = comparison.size_a;
  dict["size_b"] = comparison.size_b;
  nb::list passages;
  for (const Passage& p : comparison.passages) {
    passages.append(nb::make_tuple(p.a_begin, p.a_end, p.b_begin, p.b_end));
  }
  dict["passages"] = passages;
  dict["text_a"] = comparison.text_a;
  dict["text_b"] = comparison.text_b;
  dict["distance"] = comparison.distance;
  if (comparison.distance_is_whole) dict["distance"] = static_cast<uint64_t>(*comparison.distance);
  return dict;
}

/// Runs dedup and returns the measured recall; the other results are in the files.
nb::dict RunDedup(std::vector<std::string> names, Tables tables, const std::string& output,
                  const Options& options, nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return Dedup(inputs, output, options, observer);
  };
  return ToDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run)
          .recall);
}

/// Returns the summary of a sketch file that was made from texts or merged from other files.
template <class Summary>
nb::dict DictOfSketches(const Summary& summary) {
  nb::dict dict;
  dict["documents"] = summary.documents;
  dict["rejected"] = summary.records.rejected;
  dict["sketch"] = summary.sketch;
  dict["features"] = summary.features;
  dict["bytes"] = summary.bytes_out;
  return dict;
}

nb::dict ToDict(const SketchFileSummary& summary) { return DictOfSketches(summary); }
nb::dict ToDict(const SketchMergeSummary& summary) { return DictOfSketches(summary); }

/// Runs a command and returns its summary of the file `output`, which it wrote.
template <auto kCommand>
nb::dict RunIntoFile(std::vector<std::string> names, Tables tables, const std::string& output,
                     const Options& options, nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return kCommand(inputs, output, options, observer);
  };
  return ToDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

/// Library functions that write a file, as objects, because some are overloaded.
constexpr auto kPairs = [](const auto&... given) { return Pairs(given...); };
constexpr auto kNearest = [](const auto&... given) { return Nearest(given...); };
constexpr auto kSketch = [](const auto&... given) { return WriteSketchFile(given...); };
constexpr auto kMerge = [](const auto&... given) { return MergeSketchFiles(given...); };

nb::dict RunPlan(std::vector<std::string> names, Tables tables, const Options& options,
                 nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return PlanSearch(inputs, options, observer);
  };
  return ToDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

void RunCopyToStore(const std::string& path, const std::string& output, const Options& options) {
  RunToEnd({nb::none(), nb::none()},
           [&](const Observer& observer) { return CopyToStore(path, output, options, observer); });
}

nb::dict RunCompare(const nb::bytes& a, const nb::bytes& b, const Options& options) {
  const std::string_view text_a = TextOf(a), text_b = TextOf(b);
  // Short texts take less time than the start of a thread, and nobody interrupts them.
  constexpr size_t kShort = size_t{16} << 10;
  if (text_a.size() + text_b.size() <= kShort) {
    return ToDict(Unwrap(WithoutGil([&] { return CompareTexts(text_a, text_b, options); })));
  }
  return ToDict(RunToEnd({nb::none(), nb::none()}, [&](const Observer& observer) {
    return CompareTexts(text_a, text_b, options, observer);
  }));
}

/// Calls a function on a result folder without the GIL.
template <auto kDo>
void DoToFolder(const std::string& folder) {
  Unwrap(WithoutGil([&] { return kDo(folder); }));
}

}  // namespace

void BindCommands(nb::module_& module) {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&CloseRuns));
  module.def(
      "dedup", &RunDedup, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
      nb::arg("options"), nb::arg("progress").none(), nb::arg("message").none(),
      "Runs `dedup` into the folder `output`. Returns the measured recall. Raises RunError.");
  module.def("pairs", &RunIntoFile<kPairs>, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("options"), nb::arg("progress").none(), nb::arg("message").none(),
             "Runs `pairs` into the file `output`. Raises RunError.");
  module.def("nearest", &RunIntoFile<kNearest>, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(), "Runs `nearest` into the file `output`. Raises RunError.");
  module.def("sketch", &RunIntoFile<kSketch>, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(), "Runs `sketch` into the file `output`. Raises RunError.");
  module.def("merge_sketches", &RunIntoFile<kMerge>, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(),
             "Runs `merge-sketches` into the file `output`. Raises RunError.");
  module.def("plan", &RunPlan, nb::arg("names"), nb::arg("tables"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("message").none(),
             "What a sample lets expect of a run. Raises RunError.");
  module.def("copy_to_store", &RunCopyToStore, nb::arg("path"), nb::arg("output"),
             nb::arg("options"), "Copies a result to the URI of an object store. Raises RunError.");
  module.def("compare", &RunCompare, nb::arg("a"), nb::arg("b"), nb::arg("options"),
             "Compares two texts in UTF-8. Raises RunError.");
  module.def("discard_interrupted", &DoToFolder<DiscardInterrupted>, nb::arg("output"),
             "Removes what an interrupted run of `dedup` left, under its lock. Raises RunError.");
  module.def("check_overwrite", &DoToFolder<CheckOverwrite>, nb::arg("folder"),
             "Raises RunError where a folder holds more than a result.");
}

}  // namespace lookalike::python
