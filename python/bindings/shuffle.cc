// The steps of the engine for programs that shuffle records by key (include/lookalike/shuffle.h).
#include "lookalike/shuffle.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "lookalike/json_lines.h"
#include "lookalike/report_page.h"
#include "lookalike/sample_audit.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

using Numbers = Given<uint64_t>;
using Column = Array<uint64_t>;

std::tuple<Column, Column> GivePairs(PairColumns pairs) {
  return std::tuple(Give<uint64_t>(std::move(pairs.a)), Give<uint64_t>(std::move(pairs.d)));
}

std::tuple<Column, Column> GiveKeys(KeyColumns keys) {
  return std::tuple(Give<uint64_t>(std::move(keys.key)), Give<uint64_t>(std::move(keys.document)));
}

std::tuple<Column, Column, Array<uint8_t>> Copies(const Numbers& documents,
                                                  const Given<uint8_t>& hashes,
                                                  const Numbers& text_hashes) {
  CopyColumns copies = Unwrap(WithoutGil(
      [&] { return FindCopies(SpanOf(documents), SpanOf(hashes), SpanOf(text_hashes)); }));
  return std::tuple(Give<uint64_t>(std::move(copies.representative)),
                    Give<uint64_t>(std::move(copies.copy)),
                    Give<uint8_t>(std::move(copies.same_text)));
}

std::unique_ptr<SmallBuckets> MakeSmall(const Engine& engine, uint32_t level, size_t records) {
  return std::make_unique<SmallBuckets>(Unwrap(SmallBuckets::Create(engine, level, records)));
}

void AddSmall(SmallBuckets& buckets, const Numbers& keys, const Numbers& documents,
              const Numbers& classes) {
  Unwrap(WithoutGil([&] { return buckets.Add(SpanOf(keys), SpanOf(documents), SpanOf(classes)); }));
}

std::unique_ptr<LargeBuckets> MakeLarge(const Engine& engine, uint32_t level) {
  return std::make_unique<LargeBuckets>(Unwrap(LargeBuckets::Create(engine, level)));
}

void AddLarge(LargeBuckets& buckets, const Numbers& keys, const Numbers& documents,
              const Given<uint8_t>& codes, const Numbers& guards) {
  Unwrap(WithoutGil(
      [&] { return buckets.Add(SpanOf(keys), SpanOf(documents), SpanOf(codes), SpanOf(guards)); }));
}

std::tuple<Column, Column> Alike(const Engine& engine, const Numbers& a, const Numbers& d,
                                 const Given<uint8_t>& searched, const Given<uint8_t>& codes,
                                 const Given<int64_t>& offsets) {
  ExtractedView rows;
  rows.searched = {reinterpret_cast<const SearchedBy*>(searched.data()), searched.size()};
  rows.codes = SpanOf(codes);
  rows.offsets = SpanOf(offsets);
  return GivePairs(
      Unwrap(WithoutGil([&] { return engine.MayBeAlike(SpanOf(a), SpanOf(d), rows); })));
}

std::tuple<Column, Column, Column> FewFeatures(const Numbers& documents, const Numbers& features,
                                               const Given<int64_t>& offsets) {
  ExtractedView rows;
  rows.features = SpanOf(features);
  rows.offsets = SpanOf(offsets);
  FewFeatureColumns made =
      Unwrap(WithoutGil([&] { return FewFeaturesOf(SpanOf(documents), rows); }));
  return std::tuple(Give<uint64_t>(std::move(made.keys)), Give<uint64_t>(std::move(made.documents)),
                    Give<uint64_t>(std::move(made.sizes)));
}

std::tuple<Column, Column, Column, Column, Column> CountFew(const Numbers& keys,
                                                            const Numbers& documents,
                                                            const Numbers& sizes,
                                                            const Numbers& guards) {
  SharedFeatureColumns shared = Unwrap(WithoutGil([&] {
    return CountFewFeatures(
        {VectorOf(keys), VectorOf(documents), VectorOf(sizes), VectorOf(guards)});
  }));
  return std::tuple(
      Give<uint64_t>(std::move(shared.keys)), Give<uint64_t>(std::move(shared.documents)),
      Give<uint64_t>(std::move(shared.sizes)), Give<uint64_t>(std::move(shared.counts)),
      Give<uint64_t>(std::move(shared.guards)));
}

SharedFeatureColumns Shared(const Numbers& keys, const Numbers& documents, const Numbers& sizes,
                            const Numbers& counts) {
  return {VectorOf(keys), VectorOf(documents), VectorOf(sizes), VectorOf(counts)};
}

std::tuple<Column, Column, Column> Groups(const Engine& engine, const Numbers& keys,
                                          const Numbers& documents, const Numbers& sizes,
                                          const Numbers& counts) {
  FeatureGroupColumns groups = Unwrap(WithoutGil(
      [&] { return CountFeatureGroups(engine, Shared(keys, documents, sizes, counts)); }));
  return std::tuple(Give<uint64_t>(std::move(groups.keys)),
                    Give<uint64_t>(std::move(groups.groups)),
                    Give<uint64_t>(std::move(groups.documents)));
}

std::tuple<Column, Column, Column, Column> Meetings(const Engine& engine, const Numbers& keys,
                                                    const Numbers& documents, const Numbers& sizes,
                                                    const Numbers& counts, const Numbers& guards,
                                                    const Numbers& group_keys,
                                                    const Numbers& groups,
                                                    const Numbers& group_documents) {
  MeetingColumns meetings = Unwrap(WithoutGil([&] {
    SharedFeatureColumns shared = Shared(keys, documents, sizes, counts);
    shared.guards = VectorOf(guards);
    return MakeMeetings(engine, shared,
                        {VectorOf(group_keys), VectorOf(groups), VectorOf(group_documents)});
  }));
  return std::tuple(
      Give<uint64_t>(std::move(meetings.keys)), Give<uint64_t>(std::move(meetings.documents)),
      Give<uint64_t>(std::move(meetings.signatures)), Give<uint64_t>(std::move(meetings.shapes)));
}

std::tuple<Column, Column> JoinFew(const Engine& engine, const Numbers& keys,
                                   const Numbers& documents, const Numbers& signatures,
                                   const Numbers& shapes) {
  return GivePairs(Unwrap(WithoutGil([&] {
    return JoinMeetings(
        engine, {VectorOf(keys), VectorOf(documents), VectorOf(signatures), VectorOf(shapes)});
  })));
}

Column TakeEdges(KeepScan& scan, const Numbers& a, const Numbers& d) {
  RemovalColumns removals = Unwrap(WithoutGil([&] { return scan.Take(SpanOf(a), SpanOf(d)); }));
  return Give<uint64_t>(std::move(removals.edge));
}

std::unique_ptr<SampleComparison> MakeComparison(const Engine& engine, const Numbers& documents,
                                                 const Numbers& features,
                                                 const Given<int64_t>& offsets,
                                                 const Numbers& words) {
  return std::make_unique<SampleComparison>(Unwrap(WithoutGil([&] {
    return SampleComparison::Create(
        engine, {SpanOf(documents), SpanOf(features), SpanOf(offsets), SpanOf(words)});
  })));
}

void AddCompared(SampleComparison& comparison, const Numbers& documents, const Numbers& features,
                 const Given<int64_t>& offsets, const Given<uint8_t>& searched,
                 const Numbers& words) {
  ExtractedView rows;
  rows.features = SpanOf(features);
  rows.offsets = SpanOf(offsets);
  rows.words = SpanOf(words);
  rows.searched = {reinterpret_cast<const SearchedBy*>(searched.data()), searched.size()};
  Unwrap(WithoutGil([&] { return comparison.Add(SpanOf(documents), rows); }));
}

std::tuple<Array<uint32_t>, Column, Column, Column> TakeSimilar(SampleComparison& comparison) {
  SimilarColumns similar = comparison.Take();
  return std::tuple(
      Give<uint32_t>(std::move(similar.sample)), Give<uint64_t>(std::move(similar.document)),
      Give<uint64_t>(std::move(similar.draw)), Give<uint64_t>(std::move(similar.similar)));
}

Array<uint8_t> ReachSample(const Engine& engine, const Given<uint8_t>& sampled,
                           const Given<uint8_t>& codes) {
  return Give<uint8_t>(
      Unwrap(WithoutGil([&] { return MayReachSample(engine, SpanOf(sampled), SpanOf(codes)); })));
}

using Share = std::optional<double>;

std::tuple<Share, Share, Share, bool> Recall(const Given<double>& pairs, const Given<double>& found,
                                             double asked) {
  const RecallAudit audit = Unwrap(EstimateRecall(SpanOf(pairs), SpanOf(found), asked));
  return std::tuple(audit.estimate, audit.low, audit.high, audit.met);
}

/// The columns of read_json_lines(), in the order that its help gives.
using LineArrays = std::tuple<Array<uint8_t>, Array<int64_t>, nb::bytes, Array<int64_t>, nb::bytes,
                              Array<int64_t>, nb::bytes, Array<uint8_t>, Array<uint8_t>,
                              Array<int64_t>, nb::bytes, Array<int64_t>, nb::bytes, Array<uint8_t>>;

LineArrays JsonLines(const Engine& engine, const std::string& text, const std::string& id,
                     const std::vector<std::string>& keep, const Given<uint8_t>& bytes,
                     const Given<int64_t>& offsets) {
  const std::string_view lines(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  LineColumns columns = Unwrap(WithoutGil([&] {
    return ReadJsonLines(engine, {text, id}, keep, lines, SpanOf(offsets));
  }));
  return LineArrays(
      Give<uint8_t>(std::move(columns.kinds)), Give<int64_t>(std::move(columns.text_offsets)),
      BytesOf(columns.texts), Give<int64_t>(std::move(columns.id_offsets)), BytesOf(columns.ids),
      Give<int64_t>(std::move(columns.keep_offsets)), BytesOf(columns.keep_keys),
      Give<uint8_t>(std::move(columns.has_id)), Give<uint8_t>(std::move(columns.repaired)),
      Give<int64_t>(std::move(columns.reason_offsets)), BytesOf(columns.reasons),
      Give<int64_t>(std::move(columns.guard_offsets)), BytesOf(columns.guard_values),
      Give<uint8_t>(std::move(columns.has_guard_value)));
}

nb::bytes ReportPage(const Engine& engine, const std::string& found) {
  return BytesOf(Unwrap(MakeReportPage(engine, found)));
}

}  // namespace

void BindShuffle(nb::module_& module) {
  module.def(
      "read_json_lines", &JsonLines, nb::arg("engine"), nb::arg("text"), nb::arg("id"),
      nb::arg("keep"), nb::arg("bytes"), nb::arg("offsets"),
      "Kinds, text offsets, texts, id offsets, ids, keep offsets, keep keys, has_id, "
      "repaired, reason offsets, reasons, guard offsets, guard values and has_guard_value of "
      "lines. Of the fields that `keep` names, and of those of guards, each line has one "
      "after the other. Raises RunError.");
  module.def("report_page", &ReportPage, nb::arg("engine"), nb::arg("found"),
             "report.html. Raises RunError.");
  module.def("find_copies", &Copies, nb::arg("documents"), nb::arg("hashes"),
             nb::arg("text_hashes"),
             "Representative, copy and same_text of each copy. Raises RunError.");
  nb::class_<SmallBuckets>(module, "SmallBuckets", "Joins the records of whole keys.")
      .def("add", &AddSmall, nb::arg("keys"), nb::arg("documents"), nb::arg("classes"),
           "Raises RunError.")
      .def(
          "take_large", [](SmallBuckets& buckets) { return GiveKeys(buckets.TakeLarge()); },
          "Keys and documents of large buckets.")
      .def_prop_ro("may_hold_copies", &SmallBuckets::may_hold_copies,
                   "True if the documents of large buckets may include copies.")
      .def(
          "finish", [](SmallBuckets& buckets) { return GivePairs(buckets.Finish()); },
          "The pairs a and d of small buckets.");
  module.def("make_small_buckets", &MakeSmall, nb::arg("engine"), nb::arg("level"),
             nb::arg("records"), "Raises RunError.");
  nb::class_<LargeBuckets>(module, "LargeBuckets", "Joins large buckets, which pass by.")
      .def("add", &AddLarge, nb::arg("keys"), nb::arg("documents"), nb::arg("codes"),
           nb::arg("guards"), "Raises RunError.")
      .def(
          "finish", [](LargeBuckets& buckets) { Unwrap(buckets.Finish()); },
          "Ends the last bucket. Raises RunError.")
      .def(
          "take_pairs", [](LargeBuckets& buckets) { return GivePairs(buckets.TakePairs()); },
          "Pairs a and d found so far.")
      .def(
          "take_refined", [](LargeBuckets& buckets) { return GiveKeys(buckets.TakeRefined()); },
          "Keys and documents of the next level.");
  module.def("make_large_buckets", &MakeLarge, nb::arg("engine"), nb::arg("level"),
             "Raises RunError.");
  module.def("may_be_alike", &Alike, nb::arg("engine"), nb::arg("a"), nb::arg("d"),
             nb::arg("searched"), nb::arg("codes"), nb::arg("offsets"),
             "The pairs that codes do not rule out. Raises RunError.");
  module.def("few_features", &FewFeatures, nb::arg("documents"), nb::arg("features"),
             nb::arg("offsets"), "Keys, documents and sizes. Raises RunError.");
  module.def("count_few_features", &CountFew, nb::arg("keys"), nb::arg("documents"),
             nb::arg("sizes"), nb::arg("guards"),
             "Keys, documents, sizes, counts and guards. Raises RunError.");
  module.def("count_feature_groups", &Groups, nb::arg("engine"), nb::arg("keys"),
             nb::arg("documents"), nb::arg("sizes"), nb::arg("counts"),
             "Keys, groups and documents. Raises RunError.");
  module.def("make_meetings", &Meetings, nb::arg("engine"), nb::arg("keys"), nb::arg("documents"),
             nb::arg("sizes"), nb::arg("counts"), nb::arg("guards"), nb::arg("group_keys"),
             nb::arg("groups"), nb::arg("group_documents"),
             "Keys, documents, signatures and shapes. Raises RunError.");
  module.def("join_meetings", &JoinFew, nb::arg("engine"), nb::arg("keys"), nb::arg("documents"),
             nb::arg("signatures"), nb::arg("shapes"), "The pairs a and d. Raises RunError.");
  nb::class_<KeepScan>(module, "KeepScan", "Decides which documents are removed.")
      .def(nb::init<>())
      .def("take", &TakeEdges, nb::arg("a"), nb::arg("d"),
           "The edges, by position, that remove their later document. Raises RunError.");
  nb::class_<SampleComparison>(module, "SampleComparison", "Compares documents with a sample.")
      .def("add", &AddCompared, nb::arg("documents"), nb::arg("features"), nb::arg("offsets"),
           nb::arg("searched"), nb::arg("words"), "Compares documents. Raises RunError.")
      .def("take", &TakeSimilar, "Sample, document and draw; and how many, by sample.");
  module.def("make_sample_comparison", &MakeComparison, nb::arg("engine"), nb::arg("documents"),
             nb::arg("features"), nb::arg("offsets"), nb::arg("words"), "Raises RunError.");
  module.def("may_reach_sample", &ReachSample, nb::arg("engine"), nb::arg("sampled"),
             nb::arg("codes"),
             "For each code, whether it may be of a document like a sampled one. Raises RunError.");
  module.def("estimate_recall", &Recall, nb::arg("pairs"), nb::arg("found"), nb::arg("asked"),
             "Estimate, low, high, and whether what was asked is met. Raises RunError.");
}

}  // namespace lookalike::python
