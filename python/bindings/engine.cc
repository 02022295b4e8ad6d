#include "lookalike/engine.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "keyword_words.h"
#include "lookalike/inputs.h"
#include "lookalike/reader.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

/// The arrays of what was extracted.
struct GivenRows {
  Given<uint64_t> features;
  Given<int64_t> offsets;
  Given<uint8_t> searched, codes;
  Given<uint64_t> keys;

  [[nodiscard]] ExtractedView View() const {
    ExtractedView view;
    view.features = SpanOf(features);
    view.offsets = SpanOf(offsets);
    view.searched = {reinterpret_cast<const SearchedBy*>(searched.data()), searched.size()};
    view.codes = SpanOf(codes);
    view.keys = SpanOf(keys);
    return view;
  }
};

Engine MakeEngine(const Options& options, uint64_t documents, bool all_pairs,
                  uint64_t reference_end, std::vector<std::string> differ,
                  std::vector<std::string> same, std::vector<std::string> not_same) {
  const EngineGoal goal = all_pairs ? EngineGoal::kPairs : EngineGoal::kKeep;
  Options guarded = options;
  guarded.differ = std::move(differ);
  guarded.same = std::move(same);
  guarded.not_same = std::move(not_same);
  return UnwrapOption(Engine::Create(guarded, documents, goal, reference_end));
}

/// Values of fields, from a table with the column `value`, and which of them there are.
std::vector<FieldText> ValuesOf(const std::optional<ArrowTable>& table,
                                const Given<uint8_t>& present) {
  std::vector<FieldText> values;
  if (!table) return values;
  const TextColumn column = Unwrap(TextColumn::Of(*table, "value"));
  const std::span<const std::string_view> texts = column.texts();
  if (texts.size() != present.size()) throw nb::value_error("values and present differ in length");
  for (size_t i = 0; i < texts.size(); ++i) {
    values.emplace_back(present.data()[i] != 0 ? FieldText(texts[i]) : FieldText());
  }
  return values;
}

std::tuple<Array<uint64_t>, Array<int64_t>, Array<uint8_t>, Array<uint8_t>, Array<uint8_t>,
           Array<uint64_t>, Array<uint64_t>, Array<uint64_t>, Array<uint64_t>>
Extract(const Engine& engine, const ArrowTable& table, const std::string& field, bool few,
        nb::object progress, const std::optional<ArrowTable>& values,
        const Given<uint8_t>& present) {
  const TextColumn column = Unwrap(WithoutGil([&] { return TextColumn::Of(table, field); }));
  const std::vector<FieldText> of_fields = ValuesOf(values, present);
  Extracted made = RunToEnd({std::move(progress), nb::none()}, [&](const Observer& observer) {
    return engine.Extract(column.texts(), observer, few ? SetsOf::kFew : SetsOf::kAll, of_fields);
  });
  return std::tuple(
      Give<uint64_t>(std::move(made.sets.features)), Give<int64_t>(std::move(made.sets.offsets)),
      Give<uint8_t>(std::move(made.hashes)), Give<uint8_t, SearchedBy>(std::move(made.searched)),
      Give<uint8_t>(std::move(made.codes)), Give<uint64_t>(std::move(made.keys)),
      Give<uint64_t>(std::move(made.text_hashes)), Give<uint64_t>(std::move(made.words)),
      Give<uint64_t>(std::move(made.masks)));
}

Array<uint8_t> PairGuards(const Engine& engine, const Given<uint64_t>& a, const Given<uint64_t>& d,
                          const Given<uint64_t>& words) {
  return Give<uint8_t, PairGuard>(
      Unwrap(WithoutGil([&] { return engine.GuardsOf(SpanOf(a), SpanOf(d), SpanOf(words)); })));
}

std::vector<nb::bytes> GuardTokens(const Engine& engine, const ArrowTable& table,
                                   const std::string& field,
                                   const std::optional<ArrowTable>& values,
                                   const Given<uint8_t>& present) {
  const TextColumn column = Unwrap(TextColumn::Of(table, field));
  const std::vector<FieldText> of_fields = ValuesOf(values, present);
  std::vector<nb::bytes> tokens;
  for (const std::string& bytes :
       Unwrap(WithoutGil([&] { return engine.GuardTokens(column.texts(), of_fields); }))) {
    tokens.push_back(BytesOf(bytes));
  }
  return tokens;
}

std::vector<std::string> GuardDifferences(const Engine& engine, const std::vector<nb::bytes>& a,
                                          const std::vector<nb::bytes>& d) {
  const auto views_of = [](const std::vector<nb::bytes>& all) {
    std::vector<std::string_view> views;
    for (const nb::bytes& bytes : all) views.emplace_back(bytes.c_str(), bytes.size());
    return views;
  };
  return Unwrap(engine.GuardDifferences(views_of(a), views_of(d)));
}

Array<uint8_t> HashesOfClasses(const Given<uint8_t>& hashes, const Given<uint64_t>& words) {
  return Give<uint8_t>(
      Unwrap(WithoutGil([&] { return ClassHashes(SpanOf(hashes), SpanOf(words)); })));
}

std::tuple<Array<uint64_t>, Array<uint64_t>> Join(
    const Engine& engine, const Given<uint64_t>& features, const Given<int64_t>& offsets,
    const Given<uint8_t>& searched, const Given<uint8_t>& codes, const Given<uint64_t>& keys,
    const Given<uint64_t>& documents) {
  const GivenRows rows = {features, offsets, searched, codes, keys};
  PairColumns pairs = RunToEnd({nb::none(), nb::none()}, [&](const Observer& observer) {
    return engine.Join(rows.View(), SpanOf(documents), observer);
  });
  return std::tuple(Give<uint64_t>(std::move(pairs.a)), Give<uint64_t>(std::move(pairs.d)));
}

std::tuple<Array<uint64_t>, Array<uint64_t>, Array<uint64_t>, Array<uint64_t>> JoinKeys(
    const Engine& engine, uint32_t level, const Given<uint64_t>& keys,
    const Given<uint64_t>& documents, const Given<uint8_t>& codes) {
  KeyColumns refined;
  PairColumns pairs = Unwrap(WithoutGil([&] {
    return engine.JoinKeys(level, SpanOf(keys), SpanOf(documents), SpanOf(codes), &refined);
  }));
  return std::tuple(Give<uint64_t>(std::move(pairs.a)), Give<uint64_t>(std::move(pairs.d)),
                    Give<uint64_t>(std::move(refined.key)),
                    Give<uint64_t>(std::move(refined.document)));
}

std::tuple<Array<uint64_t>, Array<uint64_t>, Array<uint32_t>, Array<uint32_t>, Array<uint32_t>>
Verify(const Engine& engine, const Given<uint64_t>& a, const Given<uint64_t>& d,
       const Given<uint64_t>& features, const Given<int64_t>& offsets) {
  ExtractedView rows;
  rows.features = SpanOf(features);
  rows.offsets = SpanOf(offsets);
  EdgeColumns edges = Unwrap(WithoutGil([&] { return engine.Verify(SpanOf(a), SpanOf(d), rows); }));
  return std::tuple(Give<uint64_t>(std::move(edges.a)), Give<uint64_t>(std::move(edges.d)),
                    Give<uint32_t>(std::move(edges.common)),
                    Give<uint32_t>(std::move(edges.size_a)),
                    Give<uint32_t>(std::move(edges.size_d)));
}

Array<uint64_t> Classes(const Given<uint8_t>& hashes, const Given<uint8_t>& searched) {
  const std::span<const SearchedBy> how = {reinterpret_cast<const SearchedBy*>(searched.data()),
                                           searched.size()};
  return Give<uint64_t>(Unwrap(WithoutGil([&] { return FindClasses(SpanOf(hashes), how); })));
}

std::tuple<Array<uint64_t>, Array<uint64_t>, Array<uint64_t>> Keep(const Given<uint64_t>& a,
                                                                   const Given<uint64_t>& d,
                                                                   uint64_t documents) {
  RemovalColumns removals =
      Unwrap(WithoutGil([&] { return KeepGreedy(SpanOf(a), SpanOf(d), documents); }));
  return std::tuple(Give<uint64_t>(std::move(removals.removed)),
                    Give<uint64_t>(std::move(removals.witness)),
                    Give<uint64_t>(std::move(removals.edge)));
}

Array<uint64_t> Group(const Given<uint64_t>& a, const Given<uint64_t>& d, uint64_t documents) {
  return Give<uint64_t>(
      Unwrap(WithoutGil([&] { return GroupLinked(SpanOf(a), SpanOf(d), documents); })));
}

/// Returns (input, text offsets, texts, id offsets, ids, rows, nulls, values of the fields that
/// guards compare: a list for each document; none without such fields).
nb::tuple GiveColumns(DocumentColumns columns) {
  nb::list values;
  for (size_t i = 0; columns.guard_fields != 0 && i < columns.size(); ++i) {
    nb::list own;
    for (const FieldText& value : columns.GuardValues(i)) {
      own.append(value ? MessageText(*value) : nb::none());
    }
    values.append(own);
  }
  return nb::make_tuple(columns.input, Give<int64_t>(std::move(columns.text_offsets)),
                        BytesOf(columns.texts), Give<int64_t>(std::move(columns.id_offsets)),
                        BytesOf(columns.ids), Give<uint64_t>(std::move(columns.rows)),
                        Give<uint8_t>(std::move(columns.is_null)), values);
}

const char* FormName(RowForm form) {
  if (form == RowForm::kFields) return "fields";
  return form == RowForm::kObjects ? "objects" : "texts";
}

/// Returns (form, [(name, offsets, values) of each field]).
nb::tuple GiveColumns(RowColumns columns) {
  nb::list fields;
  for (RowField& field : columns.fields) {
    fields.append(
        nb::make_tuple(field.name, Give<int64_t>(std::move(field.offsets)), BytesOf(field.values)));
  }
  return nb::make_tuple(FormName(columns.form), fields);
}

/// A reader, and the messages that it has for its caller.
template <class Reader, class Columns>
class MessagingReader {
 public:
  MessagingReader(const Inputs& inputs, const Options& options) {
    Observer observer;
    observer.message = [this](std::string_view line) { lines_.emplace_back(line); };
    observer.cancelled = [this] { return cancelled_ && cancelled_(); };
    reader_.emplace(Interruptibly([&] { return Reader::Open(inputs, options, observer); }));
  }
  MessagingReader(const MessagingReader&) = delete;
  MessagingReader& operator=(const MessagingReader&) = delete;

  /// Returns the next columns as GiveColumns() makes them, or None at the end.
  nb::object Next() {
    Columns columns;
    if (!Interruptibly([&] { return reader_->Next(&columns); })) return nb::none();
    return GiveColumns(std::move(columns));
  }

  /// Returns how many records were left out so far.
  [[nodiscard]] uint64_t Rejected() const { return reader_->records().rejected; }

  /// Returns the messages since the last call.
  nb::list TakeMessages() {
    nb::list messages;
    for (const std::string& line : std::exchange(lines_, {})) {
      messages.append(MessageText(InKeywords(line)));
    }
    return messages;
  }

 private:
  /// Returns the value of `run()`, which a signal interrupts, or raises its Error.
  template <class Run>
  auto Interruptibly(Run run) {
    return RunToEnd({nb::none(), nb::none()}, [&](const Observer& caller) {
      cancelled_ = caller.cancelled;
      auto result = run();
      cancelled_ = nullptr;
      return result;
    });
  }

  std::vector<std::string> lines_;
  std::function<bool()> cancelled_;  // of the call that is running
  std::optional<Reader> reader_;
};

using Documents = MessagingReader<DocumentReader, DocumentColumns>;
using Rows = MessagingReader<RowReader, RowColumns>;

std::unique_ptr<Documents> OpenReader(std::vector<std::string> names, Tables tables,
                                      const Options& options) {
  return std::make_unique<Documents>(Inputs(std::move(names), std::move(tables)), options);
}

std::unique_ptr<Rows> OpenRows(const nb::bytes& path, const Options& options) {
  return std::make_unique<Rows>(Inputs({std::string(TextOf(path))}), options);
}

}  // namespace

void BindEngine(nb::module_& module) {
  nb::class_<Engine>(module, "Engine", "The steps of the engine over arrays.")
      .def_prop_ro("keys", &Engine::keys, "Band keys of a document.")
      .def_prop_ro("code_bytes", &Engine::code_bytes, "Bytes of a document's code.")
      .def_prop_ro("levels", &Engine::levels, "Levels of the join.")
      .def_prop_ro("design", &Engine::design, "The resolved design, or `exact`.")
      .def_prop_ro(
          "least_features", [](const Engine& engine) { return engine.options().LeastFeatures(); },
          "Fewest distinct features of a document in a pair.")
      .def_prop_ro("words", &Engine::words, "Words of a document that pairs are tested by.")
      .def_prop_ro("guard_fields", &Engine::guard_fields, "Fields that guards compare.")
      .def("extract", &Extract, nb::arg("table"), nb::arg("field"), nb::arg("few"),
           nb::arg("progress").none(), nb::arg("values").none(), nb::arg("present"),
           "Features (of all texts, or if `few`, of small ones), offsets, hashes, searched, codes, "
           "keys, text hashes, words and masks. `values`: a table whose column `value` has the "
           "values of `guard_fields` for each text. Raises RunError.")
      .def("pair_guards", &PairGuards, nb::arg("a"), nb::arg("d"), nb::arg("words"),
           "0: nothing keeps the pair apart, 1: a guard tells the two apart, 2: a field forbids "
           "it. Raises RunError.")
      .def("guard_tokens", &GuardTokens, nb::arg("table"), nb::arg("field"),
           nb::arg("values").none(), nb::arg("present"),
           "What guards find in each text and its values. Raises RunError.")
      .def("guard_differences", &GuardDifferences, nb::arg("a"), nb::arg("d"),
           "What tells the two of each pair apart, as JSON. Raises RunError.")
      .def("join", &Join, nb::arg("features"), nb::arg("offsets"), nb::arg("searched"),
           nb::arg("codes"), nb::arg("keys"), nb::arg("documents"),
           "The candidate pairs a and d. Raises RunError.")
      .def("join_keys", &JoinKeys, nb::arg("level"), nb::arg("keys"), nb::arg("documents"),
           nb::arg("codes"),
           "Pairs a and d of one level, and keys and documents of the next. Raises RunError.")
      .def("verify", &Verify, nb::arg("a"), nb::arg("d"), nb::arg("features"), nb::arg("offsets"),
           "Edges: a, d, common, size_a and size_d. Raises RunError.");
  module.def("make_engine", &MakeEngine, nb::arg("options"), nb::arg("documents"),
             nb::arg("all_pairs"), nb::arg("reference_end"),
             nb::arg("differ") = std::vector<std::string>(),
             nb::arg("same") = std::vector<std::string>(),
             nb::arg("not_same") = std::vector<std::string>(), "Raises OptionError.");
  module.def("class_hashes", &HashesOfClasses, nb::arg("hashes"), nb::arg("words"),
             "The hashes by which documents are copies. Raises RunError.");
  nb::class_<Documents>(module, "DocumentReader", "Documents of inputs, batch by batch.")
      .def("next", &Documents::Next,
           "Input, text offsets, texts, id offsets, ids, rows, nulls and guard values, or None. "
           "Raises RunError.")
      .def_prop_ro("rejected", &Documents::Rejected, "Records that were left out so far.")
      .def("take_messages", &Documents::TakeMessages,
           nb::sig("def take_messages(self) -> list[str]"), "Messages since the last call.");
  nb::class_<Rows>(module, "RowReader", "Rows of a file, batch by batch.")
      .def("next", &Rows::Next,
           "Form, and name, offsets and values of each field; or None. Raises RunError.");
  module.def("open_reader", &OpenReader, nb::arg("names"), nb::arg("tables"), nb::arg("options"),
             "Opens the inputs. Raises RunError.");
  module.def("open_rows", &OpenRows, nb::arg("path"), nb::arg("options"),
             "Opens a file whose rows are text. Raises RunError.");
  module.def("find_classes", &Classes, nb::arg("hashes"), nb::arg("searched"),
             "The first document with the same hash, for each. Raises RunError.");
  module.def("keep_greedy", &Keep, nb::arg("a"), nb::arg("d"), nb::arg("documents"),
             "Removed, witness and edge of each removal. Raises RunError.");
  module.def("group_linked", &Group, nb::arg("a"), nb::arg("d"), nb::arg("documents"),
             "The cluster of each document. Raises RunError.");
}

}  // namespace lookalike::python
