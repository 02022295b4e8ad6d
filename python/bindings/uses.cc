#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "lookalike/crumbs.h"
#include "lookalike/decontaminate.h"
#include "lookalike/filter.h"
#include "lookalike/lookalike.h"
#include "lookalike/passages.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

nb::dict ToDict(const Evaluation& evaluation) {
  nb::dict dict;
  dict["precision"] = evaluation.precision;
  dict["recall"] = evaluation.recall;
  dict["f1"] = evaluation.f1;
  dict["found"] = evaluation.found;
  dict["expected"] = evaluation.expected;
  dict["correct"] = evaluation.correct;
  nb::list bins;
  for (const Evaluation::Bin& bin : evaluation.by_resemblance) {
    nb::dict entry;
    entry["from"] = bin.from;
    entry["to"] = bin.to;
    entry["expected"] = bin.expected;
    entry["found"] = bin.found;
    bins.append(entry);
  }
  dict["by_resemblance"] = bins;
  return dict;
}

/// Returns the value that a name stands for, or raises OptionError.
template <class Value>
Value Named(const char* option, const std::string& name, const std::optional<Value>& value,
            const char* expected) {
  if (value) return *value;
  return UnwrapOption(Result<Value>(
      OptionError(std::string(option) + "=" + name + " is not one of " + expected)));
}

nb::dict RunFilter(std::vector<std::string> names, Tables tables, const std::string& output,
                   const std::string& state, const Options& options, nb::object progress,
                   nb::object message) {
  FilterSettings settings;
  settings.state = state;
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return FilterDocuments(inputs, output, settings, options, observer);
                             }));
}

nb::dict RunWeights(std::vector<std::string> names, Tables tables, const std::string& output,
                    const Options& options, nb::object progress, nb::object message) {
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return WeighWords(inputs, output, options, observer);
                             }));
}

nb::dict RunGroup(std::vector<std::string> names, Tables tables, const std::string& output,
                  const std::string& by, const std::string& item, const std::string& weight,
                  const Options& options, nb::object progress, nb::object message) {
  const GroupFields fields = {by, item, weight};
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return GroupTable(inputs, output, fields, options, observer);
                             }));
}

nb::dict RunPassages(std::vector<std::string> names, Tables tables, const std::string& output,
                     std::optional<uint64_t> min_words, std::optional<uint64_t> min_chars,
                     const std::string& action, const std::string& unit,
                     uint64_t min_left, const Options& options, nb::object progress,
                     nb::object message) {
  PassageRules rules;
  rules.min_words = min_words;
  rules.min_chars = min_chars;
  rules.action = Named("action", action, PassageActionOf(action), "report, cut, drop or annotate");
  rules.unit =
      Named("unit", unit, PassageUnitOf(unit), "sentence, line, paragraph or words");
  rules.min_left = min_left;
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return FindPassages(inputs, output, rules, options, observer);
                             }));
}

nb::dict RunDecontaminate(std::vector<std::string> names, Tables tables, const std::string& output,
                          const std::string& action, uint64_t min_words,
                          std::map<std::string, uint64_t> min_words_of,
                          const std::string& item_field, const std::string& item_id,
                          const Options& options, nb::object progress, nb::object message) {
  ContaminationRules rules;
  rules.action = Named("action", action, ContaminationActionOf(action), "report, drop or cut");
  rules.min_words = min_words;
  rules.min_words_of.insert(min_words_of.begin(), min_words_of.end());
  rules.item_field = item_field;
  rules.item_id_field = item_id;
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return Decontaminate(inputs, output, rules, options, observer);
                             }));
}

nb::dict RunCrumbs(std::vector<std::string> names, Tables tables, const std::string& output,
                   const std::string& url, const Options& options, nb::object progress,
                   nb::object message) {
  return SummaryDict(RunOver(std::move(names), std::move(tables), std::move(progress),
                             std::move(message),
                             [&](const Inputs& inputs, const Observer& observer) {
                               return FindCrumbs(inputs, output, url, options, observer);
                             }));
}

nb::dict RunEvaluate(const std::string& result, const std::string& truth, double threshold) {
  return ToDict(RunToEnd({nb::none(), nb::none()}, [&](const Observer& /*observer*/) {
    return Evaluate(result, truth, threshold);
  }));
}

void RunSynthesize(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                   const std::string& truth) {
  RunToEnd({nb::none(), nb::none()}, [&](const Observer& /*observer*/) {
    return Synthesize(output, documents, seed, duplicates, truth);
  });
}

}  // namespace

void BindUses(nb::module_& module) {
  module.def("filter", &RunFilter, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("state"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(),
             "Runs `filter` into the file `output`; `state` may be empty. Raises RunError.");
  module.def("weights", &RunWeights, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("options"), nb::arg("progress").none(), nb::arg("message").none(),
             "Runs `weights` into the file `output`. Raises RunError.");
  module.def("group", &RunGroup, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("by"), nb::arg("item"), nb::arg("weight"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("message").none(),
             "Runs `group` into the file `output`; `weight` may be empty. Raises RunError.");
 module.def("passages", &RunPassages, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("min_words").none(), nb::arg("min_chars").none(), nb::arg("action"),
             nb::arg("unit"), nb::arg("min_left"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("message").none(),
             "Runs `passages` into the folder `output`. Raises RunError.");
  module.def("decontaminate", &RunDecontaminate, nb::arg("names"), nb::arg("tables"),
             nb::arg("output"), nb::arg("action"), nb::arg("min_words"), nb::arg("min_words_of"),
             nb::arg("item_field"), nb::arg("item_id"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("message").none(),
             "Runs `decontaminate` into the folder `output`. Raises RunError.");
  module.def("crumbs", &RunCrumbs, nb::arg("names"), nb::arg("tables"), nb::arg("output"),
             nb::arg("url"), nb::arg("options"), nb::arg("progress").none(),
             nb::arg("message").none(), "Runs `crumbs` into the file `output`. Raises RunError.");
  module.def("evaluate", &RunEvaluate, nb::arg("result"), nb::arg("truth"), nb::arg("threshold"),
             "Scores a file of pairs against one of true pairs. Raises RunError.");
  module.def("synthesize", &RunSynthesize, nb::arg("output"), nb::arg("documents"), nb::arg("seed"),
             nb::arg("duplicates"), nb::arg("truth"),
             "Writes a corpus, and the truth about it unless `truth` is empty. Raises RunError.");
}

}  // namespace lookalike::python
