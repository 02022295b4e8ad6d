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
#include "lookalike/sink.h"
#include "lookalike/sketch_file.h"
#include "lookalike/store_copy.h"
#include "run.h"

namespace lookalike::python {

namespace nb = nanobind;

nb::dict FromJson(const std::string& text) {
  return nb::cast<nb::dict>(
      nb::module_::import_("json").attr("loads")(nb::str(text.c_str(), text.size())));
}

namespace {

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
  dict["fields"] = FromJson(FieldsJson(report.fields));
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

nb::dict RunDedup(std::vector<std::string> names, Tables tables, const std::string& output,
                  const std::string& rows, const Options& options, nb::object progress,
                  nb::object message) {
  const auto sink = rows.empty() ? nullptr : MakeArrowSink(rows);
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return Dedup(inputs, output, options, sink.get(), observer);
  };
  return SummaryDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

/// Runs a command that writes the file `output`, and returns its summary.
template <auto kCommand>
nb::dict RunIntoFile(std::vector<std::string> names, Tables tables, const std::string& output,
                     const Options& options, nb::object progress, nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return kCommand(inputs, output, options, observer);
  };
  return SummaryDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

/// Runs a search that puts its rows into a table in `folder`, and returns its summary.
template <auto kSearch>
nb::dict RunIntoTable(std::vector<std::string> names, Tables tables, const std::string& folder,
                      Options options, nb::object progress, nb::object message) {
  if (options.scratch.empty()) options.scratch = folder;
  const auto sink = MakeArrowSink(folder);
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return kSearch(inputs, sink.get(), options, observer);
  };
  return SummaryDict(
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run));
}

/// Library functions as objects, because they are overloaded.
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
  module.def("dedup", &RunDedup, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("rows"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(),
             "Runs `dedup` into the folder `output`, and its rows into tables in the folder `rows` "
             "unless that is empty. Returns the summary. Raises RunError.");
  module.def("pairs", &RunIntoTable<kPairs>, nb::arg("names"), nb::arg("tables"), nb::arg("folder"),
             nb::arg("options"), nb::arg("progress").none(), nb::arg("message").none(),
             "Finds pairs, in pairs.arrow in `folder`. Raises RunError.");
  module.def("nearest", &RunIntoTable<kNearest>, nb::arg("names"), nb::arg("tables"),
             nb::arg("folder"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(),
             "Finds neighbours, in neighbours.arrow in `folder`. Raises RunError.");
  module.def("sketch", &RunIntoFile<kSketch>, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(), "Runs `sketch` into the file `output`. Raises RunError.");
  module.def("merge_sketches", &RunIntoFile<kMerge>, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(),
             "Runs `merge-sketches` into the file `output`. Raises RunError.");
  module.def("plan", &RunPlan, nb::arg("names"), nb::arg("tables"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("message").none(),
             "Predicts a run from a sample of the data. Raises RunError.");
  module.def("copy_to_store", &RunCopyToStore, nb::arg("path"), nb::arg("output"),
             nb::arg("options"), "Copies a result to the URI of an object store. Raises RunError.");
  module.def("compare", &RunCompare, nb::arg("a"), nb::arg("b"), nb::arg("options"),
             "Compares two texts in UTF-8. Raises RunError.");
  module.def("discard_interrupted", &DoToFolder<DiscardInterrupted>, nb::arg("output"),
             "Removes what an interrupted run of `dedup` left, under its lock. Raises RunError.");
  module.def("check_overwrite", &DoToFolder<CheckOverwrite>, nb::arg("folder"),
             "Raises RunError if a folder holds more than a result.");
}

}  // namespace lookalike::python
