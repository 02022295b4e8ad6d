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
#include "lookalike/sketch_file.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

nb::dict ToDict(const RecordCounts& records) {
  nb::dict dict;
  dict["in"] = records.in;
  dict["kept"] = records.kept;
  dict["removed_exact"] = records.removed_exact;
  dict["removed_near"] = records.removed_near;
  dict["rejected"] = records.rejected;
  dict["null_text"] = records.null_text;
  dict["repaired_text"] = records.repaired_text;
  dict["repeated_ids"] = records.repeated_ids;
  dict["skipped_inputs"] = records.skipped_inputs;
  dict["reference"] = records.reference;
  dict["rejected_reference"] = records.rejected_reference;
  return dict;
}

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
  return dict;
}

/// What pairs and nearest say of a search; `counted`: what `count` is of.
template <class Summary>
nb::dict FoundDict(const char* counted, uint64_t count, const Summary& summary) {
  nb::dict dict;
  dict["records"] = ToDict(summary.records);
  dict["recall"] = ToDict(summary.recall);
  dict["design"] = summary.design;
  dict[counted] = count;
  dict["seconds"] = summary.seconds;
  dict["cpu_seconds"] = summary.cpu_seconds;
  dict["peak_memory_bytes"] = summary.peak_memory_bytes;
  return dict;
}

nb::dict ToDict(const PairsSummary& summary) {
  nb::dict dict = FoundDict("pairs", summary.pairs, summary);
  dict["peak_scratch_bytes"] = summary.peak_scratch_bytes;
  return dict;
}

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

/// What `run(inputs, observer)` found.
template <class Run>
auto RunOver(std::vector<std::string> names, Tables tables, nb::object progress, nb::object message,
             Run run) {
  const Inputs inputs(std::move(names), std::move(tables));
  return RunToEnd({std::move(progress), std::move(message)},
                  [&](const Observer& observer) { return run(inputs, observer); });
}

/// The rest of what it found is in the files.
nb::dict RunDedup(std::vector<std::string> names, Tables tables, const std::string& output,
                  const Options& options, nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return Dedup(inputs, output, options, observer);
  };
  return ToDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run)
          .recall);
}

nb::dict ToDict(const SketchFileSummary& summary) {
  nb::dict dict;
  dict["documents"] = summary.documents;
  dict["rejected"] = summary.records.rejected;
  dict["sketch"] = summary.sketch;
  dict["features"] = summary.features;
  dict["bytes"] = summary.bytes_out;
  return dict;
}

nb::dict ToDict(const SketchMergeSummary& summary) {
  nb::dict dict;
  dict["documents"] = summary.documents;
  dict["rejected"] = summary.records.rejected;
  dict["sketch"] = summary.sketch;
  dict["features"] = summary.features;
  dict["bytes"] = summary.bytes_out;
  return dict;
}

/// What a command says of the file `output`, which it wrote.
template <auto kCommand>
nb::dict RunIntoFile(std::vector<std::string> names, Tables tables, const std::string& output,
                     const Options& options, nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return kCommand(inputs, output, options, observer);
  };
  return ToDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

/// Functions of a file, overloaded or not.
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

nb::dict RunCompare(const nb::bytes& a, const nb::bytes& b, const Options& options) {
  const std::string_view text_a = TextOf(a), text_b = TextOf(b);
  return ToDict(Unwrap(WithoutGil([&] { return CompareTexts(text_a, text_b, options); })));
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
  module.def("compare", &RunCompare, nb::arg("a"), nb::arg("b"), nb::arg("options"),
             "Compares two texts in UTF-8. Raises RunError.");
}

}  // namespace lookalike::python
