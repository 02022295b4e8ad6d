#include "lookalike/index.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "lookalike/options_table.h"
#include "open_index.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

/// Returns the value of `run(index)`, without the GIL, or raises its Error.
template <class Run>
auto Call(const OpenIndex& index, Run run) {
  return Unwrap(WithoutGil([&] { return index.Use(run); }));
}

/// Returns bytes as a text; those that are not UTF-8 become lone surrogates, as in names of files.
nb::object Decoded(std::string_view bytes) {
  return nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

void CreateIndex(const std::string& folder, const Options& options, const std::string& kept,
                 bool clusters) {
  IndexSettings settings{options, Kept::kFeatures, clusters};
  for (const Kept each : {Kept::kNone, Kept::kFeatures, Kept::kText}) {
    if (kept == NameOf(each)) settings.kept = each;
  }
  Unwrap(WithoutGil([&] { return Index::Create(folder, settings); }));
}

std::unique_ptr<OpenIndex> Open(const std::string& folder, bool writes, const Options& options) {
  const IndexMode mode = writes ? IndexMode::kWrite : IndexMode::kRead;
  return Unwrap(WithoutGil([&] { return OpenIndex::Open(folder, mode, options.memory); }));
}

/// Returns (what is kept, {name: text} of the options that are stored).
nb::tuple Settings(const OpenIndex& index) {
  const IndexSettings settings =
      Call(index, [](const Index& opened) -> Result<IndexSettings> { return opened.settings(); });
  nb::dict texts;
  for (const OptionRow& row : OptionTable()) {
    if (!row.BelongsTo(Command::kIndex)) continue;
    if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&row.member)) {
      if (IsIndexOption(row)) texts[nb::str(row.name.data(), row.name.size())] = settings.options.**list;
      continue;
    }
    texts[nb::str(row.name.data(), row.name.size())] = OptionText(row, settings.options);
  }
  return nb::make_tuple(Decoded(NameOf(settings.kept)), texts);
}

/// Returns (id, resemblance, containment_ab, containment_ba, exact, standard error, metadata).
nb::tuple MatchTuple(const IndexMatch& match) {
  return nb::make_tuple(Decoded(match.id), match.resemblance, match.containment_ab,
                        match.containment_ba, match.exact, match.standard_error,
                        Decoded(match.metadata));
}

/// Returns (matches, truncated, candidates).
nb::tuple AnswerTuple(const IndexAnswer& answer) {
  nb::list matches;
  for (const IndexMatch& match : answer.matches) matches.append(MatchTuple(match));
  return nb::make_tuple(matches, answer.truncated, answer.candidates);
}

/// Returns (id, metadata, text in bytes or None, number of features).
nb::tuple DocumentTuple(const IndexedDocument& document) {
  const nb::object text = document.text
                              ? nb::object(nb::bytes(document.text->data(), document.text->size()))
                              : nb::none();
  return nb::make_tuple(Decoded(document.id), Decoded(document.metadata), text, document.features);
}

/// The values of the fields that guards compare, or None if none were given.
using GuardValues = std::optional<std::vector<FieldText>>;

/// Adds documents, which are (id, text, metadata), each in bytes, and the values of the fields that
/// guards compare. Returns (outcome, match or None) of each.
nb::list Add(const OpenIndex& index, const nb::list& documents,
             std::optional<double> unless_similar) {
  std::vector<IndexDocument> given;
  std::deque<std::vector<FieldText>> values;  // which stay where they are
  for (const nb::handle each : documents) {
    const auto parts = nb::cast<nb::tuple>(each);
    values.push_back(nb::cast<GuardValues>(parts[3]).value_or(std::vector<FieldText>()));
    given.push_back({TextOf(nb::cast<nb::bytes>(parts[0])), TextOf(nb::cast<nb::bytes>(parts[1])),
                     TextOf(nb::cast<nb::bytes>(parts[2])), values.back()});
  }
  constexpr std::array kOutcomes = {"added", "replaced", "unchanged", "similar"};
  nb::list answers;
  for (const AddAnswer& answer :
       Call(index, [&](Index& opened) { return opened.Add(given, unless_similar); })) {
    const nb::object like = answer.like ? nb::object(MatchTuple(*answer.like)) : nb::none();
    answers.append(nb::make_tuple(kOutcomes[static_cast<size_t>(answer.outcome)], like));
  }
  return answers;
}

/// Adds all documents of inputs. Returns (added, replaced, unchanged, similar, rejected).
nb::tuple Load(const OpenIndex& index, std::vector<std::string> names, Tables tables,
               const Options& reading, std::optional<double> unless_similar, nb::object progress,
               nb::object message) {
  const auto run = [&](const Inputs& inputs, const Observer& observer) {
    return index.Use([&](Index& opened) {
      return opened.Load(inputs, opened.ReadingOptions(reading), unless_similar, observer);
    });
  };
  const LoadSummary done =
      RunOver(std::move(names), std::move(tables), std::move(progress), std::move(message), run);
  return nb::make_tuple(done.added, done.replaced, done.unchanged, done.similar, done.rejected);
}

uint64_t Remove(const OpenIndex& index, const std::vector<nb::bytes>& ids) {
  std::vector<std::string> given;
  for (const nb::bytes& id : ids) given.emplace_back(TextOf(id));
  return Call(index, [&](Index& opened) { return opened.Remove(given); });
}

/// `asked`: threshold, top, limit, exhaustive, measure.
IndexQuery MakeQuery(const nb::tuple& asked) {
  return {nb::cast<double>(asked[0]), nb::cast<uint64_t>(asked[1]), nb::cast<uint64_t>(asked[2]),
          nb::cast<bool>(asked[3]), nb::cast<std::string>(asked[4])};
}

nb::tuple QueryText(const OpenIndex& index, const nb::bytes& text, const nb::tuple& asked,
                    GuardValues values) {
  IndexQuery query = MakeQuery(asked);
  if (values) query.guard_values = *std::move(values);
  return AnswerTuple(
      Call(index, [&](const Index& opened) { return opened.QueryText(TextOf(text), query); }));
}

nb::tuple QueryId(const OpenIndex& index, const nb::bytes& id, const nb::tuple& asked) {
  const IndexQuery query = MakeQuery(asked);
  return AnswerTuple(
      Call(index, [&](const Index& opened) { return opened.QueryId(TextOf(id), query); }));
}

/// Answers for every text, on several threads. Returns the first Error that it meets.
Result<std::vector<IndexAnswer>> AnswerAll(const Index& index,
                                           const std::vector<std::string_view>& texts,
                                           const std::vector<GuardValues>& values,
                                           const IndexQuery& query, size_t threads,
                                           const Observer& observer) {
  std::vector<Result<IndexAnswer>> answers(texts.size());
  std::atomic<size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    while (!failed && !observer.cancelled()) {
      const size_t i = next++;
      if (i >= texts.size()) return;
      IndexQuery own = query;
      if (i < values.size() && values[i]) own.guard_values = *values[i];
      answers[i] = index.QueryText(texts[i], own);
      if (!answers[i]) failed = true;
    }
  };
  std::vector<std::thread> workers;
  for (size_t i = 1; i < std::min(threads, texts.size()); ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (observer.cancelled()) return Cancelled();
  std::vector<IndexAnswer> found;
  for (Result<IndexAnswer>& answer : answers) {
    if (!answer) return tl::make_unexpected(std::move(answer).error());
    found.push_back(*std::move(answer));
  }
  return found;
}

nb::list QueryTexts(const OpenIndex& index, const std::vector<nb::bytes>& texts,
                    const nb::tuple& asked, size_t threads,
                    const std::vector<GuardValues>& values) {
  const IndexQuery query = MakeQuery(asked);
  std::vector<std::string_view> given;
  for (const nb::bytes& text : texts) given.push_back(TextOf(text));
  nb::list answers;
  for (const IndexAnswer& answer : RunToEnd({nb::none(), nb::none()}, [&](const Observer& caller) {
         return index.Use(
             [&](const Index& opened) { return AnswerAll(opened, given, values, query, threads, caller); });
       })) {
    answers.append(AnswerTuple(answer));
  }
  return answers;
}

nb::object Get(const OpenIndex& index, const nb::bytes& id) {
  const auto document = Call(index, [&](const Index& opened) { return opened.Get(TextOf(id)); });
  return document ? nb::object(DocumentTuple(*document)) : nb::none();
}

nb::list NextDocuments(IndexListing& listing) {
  nb::list documents;
  for (const IndexedDocument& document : Unwrap(WithoutGil([&] { return listing.Next(); }))) {
    documents.append(DocumentTuple(document));
  }
  return documents;
}

nb::dict Stats(const OpenIndex& index) {
  const IndexStats stats = Call(index, [](const Index& opened) { return opened.Stats(); });
  nb::dict dict;
  dict["documents"] = stats.documents;
  dict["bytes"] = stats.bytes;
  dict["keep"] = Decoded(NameOf(stats.kept));
  dict["keys"] = stats.keys;
  dict["threshold"] = stats.threshold;
  dict["differ"] = stats.differ;
  dict["same"] = stats.same;
  return dict;
}

nb::dict Audit(const OpenIndex& index, uint64_t documents) {
  const IndexAudit audit =
      Call(index, [&](const Index& opened) { return opened.Audit(documents); });
  nb::dict dict;
  dict["asked"] = audit.recall.asked;
  dict["estimate"] = audit.recall.estimate;
  dict["low"] = audit.recall.low;
  dict["high"] = audit.recall.high;
  dict["met"] = audit.recall.met;
  dict["sampled_documents"] = audit.documents;
  dict["sampled_matches"] = audit.pairs;
  return dict;
}

void Check(const OpenIndex& index) {
  Call(index, [](const Index& opened) { return opened.Check(); });
}

void Compact(const OpenIndex& index) {
  Call(index, [](Index& opened) { return opened.Compact(); });
}

void Backup(const OpenIndex& index, const std::string& folder) {
  Call(index, [&](const Index& opened) { return opened.Backup(folder); });
}

void Merge(const OpenIndex& index, const OpenIndex& other) {
  Call(index, [&](Index& opened) {
    return other.Use([&](const Index& merged) { return opened.Merge(merged); });
  });
}

void BindQueries(nb::class_<OpenIndex>& bound) {
  bound
      .def("query_text", &QueryText, nb::arg("text"), nb::arg("asked"), nb::arg("values").none(),
           nb::sig("def query_text(self, text: bytes, asked: tuple[float, int, int, bool, str], "
                   "values: list[str | None] | None) -> "
                   "tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]"),
           "Matches, truncated and candidates. Raises RunError.")
      .def("query_id", &QueryId, nb::arg("id"), nb::arg("asked"),
           nb::sig("def query_id(self, id: bytes, asked: tuple[float, int, int, bool, str]) -> "
                   "tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]"),
           "The same for a stored document. Raises RunError.")
      .def("query_texts", &QueryTexts, nb::arg("texts"), nb::arg("asked"), nb::arg("threads"),
           nb::arg("values"),
           nb::sig("def query_texts(self, texts: list[bytes], "
                   "asked: tuple[float, int, int, bool, str], threads: int, "
                   "values: list[list[str | None] | None]) -> list[tuple["
                   "list[tuple[str, float, float, float, bool, float, str]], bool, int]]"),
           "The same for many texts. Raises RunError.")
      .def("get", &Get, nb::arg("id"),
           nb::sig("def get(self, id: bytes) -> tuple[str, str, bytes | None, int] | None"),
           "Id, metadata, text and number of features, or None. Raises RunError.");
}

/// Returns (name, ids) of each cluster.
nb::list Clusters(const OpenIndex& index, double threshold) {
  std::vector<IndexCluster> found;
  Call(index, [&](Index& opened) {
    return opened.Clusters(threshold, [&](const IndexCluster& cluster) {
      found.push_back(cluster);
      return true;
    });
  });
  nb::list clusters;
  for (const IndexCluster& cluster : found) {
    nb::list ids;
    for (const std::string& id : cluster.ids) ids.append(Decoded(id));
    clusters.append(nb::make_tuple(cluster.name, ids));
  }
  return clusters;
}

/// Returns the lines of the log, in JSON.
std::vector<std::string> Changes(const OpenIndex& index, uint64_t since, size_t most) {
  std::vector<std::string> lines;
  Call(index, [&](Index& opened) {
    return opened.Changes(since, [&](std::string_view line) {
      lines.emplace_back(line);
      return lines.size() < most;
    });
  });
  return lines;
}

void BindUpkeep(nb::class_<OpenIndex>& bound) {
  bound
      .def("stats", &Stats, nb::sig("def stats(self) -> dict[str, Any]"),
           "Documents, bytes, keep, keys and threshold. Raises RunError.")
      .def("clusters", &Clusters, nb::arg("threshold"),
           nb::sig("def clusters(self, threshold: float) -> list[tuple[str, list[str]]]"),
           "Clusters by name, with the ids of their documents. Raises RunError, OptionError.")
      .def("changes", &Changes, nb::arg("since"), nb::arg("most"),
           "Some changes of clusters after a number, in JSON. Raises RunError.")
      .def("audit", &Audit, nb::arg("documents"),
           nb::sig("def audit(self, documents: int) -> dict[str, Any]"),
           "The recall of queries for some documents. Raises RunError.")
      .def("check", &Check, "Raises RunError if anything is wrong.")
      .def("compact", &Compact, "Rewrites all files. Raises RunError.")
      .def("backup", &Backup, nb::arg("folder"), "Copies the index. Raises RunError.")
      .def("merge", &Merge, nb::arg("other"), "Adds all documents of another. Raises RunError.");
}

}  // namespace

void BindIndex(nb::module_& module) {
  nb::class_<OpenIndex> bound(module, "Index", "An open index.");
  bound.def_prop_ro("closed", &OpenIndex::closed, "True after close().")
      .def(
          "close", [](OpenIndex& index) { WithoutGil([&] { index.Close(); }); },
          "Closes the index once other calls have ended.")
      .def("settings", &Settings, nb::sig("def settings(self) -> tuple[str, dict[str, str | list[str]]]"),
           "What is kept, and the options as texts. Raises RunError.")
      .def("add", &Add, nb::arg("documents"), nb::arg("unless_similar").none(),
           nb::sig("def add(self, documents: "
                   "list[tuple[bytes, bytes, bytes, list[str | None] | None]], "
                   "unless_similar: float | None) -> "
                   "list[tuple[str, tuple[str, float, float, float, bool, float, str] | None]]"),
           "Adds documents (id, text, metadata, values of the fields that guards compare) in one "
           "step. Raises RunError.")
      .def(
          "guard_values",
          [](const OpenIndex& index, const std::string& object) {
            return Call(index, [&](const Index& opened) { return opened.GuardValues(object); });
          },
          nb::arg("object"),
          nb::sig("def guard_values(self, object: str) -> list[str | None]"),
          "The values of the fields that guards compare, in an object of JSON. Raises RunError.")
      .def(
          "guard_fields",
          [](const OpenIndex& index) {
            return Call(index, [](const Index& opened) -> Result<std::vector<std::string>> {
              return opened.guard_fields();
            });
          },
          nb::sig("def guard_fields(self) -> list[str]"),
          "The fields that guards compare. Raises RunError.")
      .def(
          "snapshot",
          [](const OpenIndex& index) { return Unwrap(WithoutGil([&] { return index.Snapshot(); })); },
          nb::sig("def snapshot(self) -> Index"), "The index as it is now. Raises RunError.")
      .def("load", &Load, nb::arg("names"), nb::arg("tables"), nb::arg("options"),
           nb::arg("unless_similar").none(), nb::arg("progress").none(), nb::arg("message").none(),
           nb::sig("def load(self, names: list[str], tables: dict[str, pyarrow.Table], "
                   "options: Options, unless_similar: float | None, progress: object | None, "
                   "message: object | None) -> tuple[int, int, int, int, int]"),
           "Adds the documents of inputs: how many were added, replaced, unchanged, similar and "
           "rejected. Raises RunError.")
      .def("remove", &Remove, nb::arg("ids"), nb::sig("def remove(self, ids: list[bytes]) -> int"),
           "Removes documents in one step. Raises RunError.");
  BindQueries(bound);
  BindUpkeep(bound);
  nb::class_<IndexListing>(module, "IndexListing", "The documents of an index, some at a time.")
      .def(nb::init<OpenIndex*>(), nb::arg("index"), nb::keep_alive<1, 2>())
      .def("next", &NextDocuments,
           nb::sig("def next(self) -> list[tuple[str, str, bytes | None, int]]"),
           "The next documents, as `get` returns them; none at the end. Raises RunError.");
  module.def("create_index", &CreateIndex, nb::arg("folder"), nb::arg("options"), nb::arg("keep"),
             nb::arg("clusters"), "Makes an empty index. Raises RunError, OptionError.");
  module.def("open_index", &Open, nb::arg("folder"), nb::arg("writes"), nb::arg("options"),
             "Opens an index. Of the options `memory` counts. Raises RunError.");
}

}  // namespace lookalike::python
