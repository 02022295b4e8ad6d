// The rows of a result, for programs that take them from a run instead of reading its files.
#ifndef LOOKALIKE_SINK_H_
#define LOOKALIKE_SINK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lookalike/guards.h"
#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/removal_kind.h"
#include "lookalike/status.h"

namespace lookalike {

/// A document as a result names it. Views are valid until the function that receives the document
/// returns.
struct NamedDocument {
  std::string_view id;      ///< The id field's value, else "input:row".
  std::string_view source;  ///< The input's name, whose bytes need not be UTF-8.
  uint64_t row = 0;         ///< From 1; see docs/output.md.
  bool reference = false;   ///< It is from Options::against.
};

/// The resemblance of two documents in one of several text fields.
struct FieldScore {
  std::string_view field;             ///< A value of Options::text_field.
  std::optional<double> resemblance;  ///< None: both documents lack the field.
};

/// A removed document and the kept document that it duplicates: a line of removed.jsonl.
struct RemovalRow {
  NamedDocument document, witness;
  RemovalKind kind = RemovalKind::kNear;
  double resemblance = 0;
  double in_witness = 1;      ///< Share of the document's features that the witness has.
  double of_witness = 1;      ///< Share of the witness's features that the document has.
  double standard_error = 0;  ///< Standard error of `resemblance` if it is an estimate, else 0.
  uint64_t cluster = 0;       ///< From 1.
  /// The reason why the witness stays: a criterion of Options::keep, "input order", "reference"
  /// or "decision". Empty with the default order.
  std::string_view kept_by = {};
  std::span<const FieldScore> scores = {};  ///< If ResultLayout::text_fields is not empty.

  /// Returns true if both are from one input; results then leave the witness's input out.
  [[nodiscard]] bool same_input() const {
    return document.reference == witness.reference && document.source == witness.source;
  }
};

/// A cluster of two or more documents: a line of clusters.jsonl. Its members are read on demand,
/// because there may be more of them than fit in memory.
struct ClusterRow {
  using TakeMember = std::function<Status(const NamedDocument& document, bool kept)>;

  uint64_t cluster = 0;  ///< From 1, largest first.
  uint64_t size = 0;
  /// Gives the members, or only the kept members, in input order. It can be called again, until the
  /// sink returns.
  std::function<Status(bool kept_only, const TakeMember& take)> members;
};

/// A passage that two documents share; see docs/how-to/containment.md.
struct EvidencePassage {
  Passage place;
  std::string text;  ///< The beginning of its text in the first document.
};

/// The longest passages that a removed document shares with its witness: a line of evidence.jsonl.
struct EvidenceRow {
  NamedDocument document, witness;
  std::span<const EvidencePassage> passages;  ///< Sorted by a_begin.
  uint64_t left_out = 0;                      ///< Shorter passages that were found as well.
  bool cut = false;                           ///< Parts of the texts were not examined.
};

/// Two documents that stay although they are alike, because a guard tells them apart: a line of
/// guarded.jsonl.
struct GuardedRow {
  NamedDocument a, b;  ///< `a` comes first in the keep order.
  double resemblance = 0;
  std::span<const GuardDifference>
      differ;  ///< The guards that differ, in the order of the options.
};

/// A record that could not be read: a line of rejected.jsonl.
struct RejectionRow {
  std::string_view source;  ///< As NamedDocument::source.
  uint64_t row = 0;         ///< From 1.
  std::string_view reason;  ///< The library's message, with options as plain names.
};

/// The figures of a comparison of two documents.
struct PairFigures {
  double resemblance = 0;
  uint64_t common = 0, size_a = 0, size_b = 0;  ///< Counts of distinct features.
  double standard_error = 0;                    ///< Standard error of an estimate; 0: exact.

  /// Returns the share of one document's features that the other has as well.
  [[nodiscard]] double containment_ab() const {
    return static_cast<double>(common) / static_cast<double>(size_a);
  }
  [[nodiscard]] double containment_ba() const {
    return static_cast<double>(common) / static_cast<double>(size_b);
  }
};

/// A pair of documents, or a document and one of its neighbours.
struct PairRow {
  NamedDocument a, b;
  uint64_t rank = 0;         ///< The rank of the neighbour `b`, from 1; 0 in a list of pairs.
  double distance = 0;       ///< Set if ResultLayout::by_distance is set.
  PairFigures figures = {};  ///< Set otherwise.
  std::span<const FieldScore> scores = {};  ///< If ResultLayout::text_fields is not empty.
};

enum class ResultKind : uint8_t {
  kRemovals,  ///< Removals, clusters, evidence, rejections. If `estimated`: suggestions, clusters.
  kPairs,     ///< Pairs.
  kNeighbours,  ///< Pairs of a document and one of its neighbours.
};

/// Says which rows a result has, and what they hold.
struct ResultLayout {
  ResultKind kind = ResultKind::kRemovals;
  bool by_distance = false;  ///< Pairs have distances.
  bool whole = false;        ///< Distances are counts.
  bool contained = false;    ///< Rows have containments, and removals have evidence.
  bool estimated = false;    ///< Resemblances are estimates from sketches; nothing is removed.
  bool guarded = false;      ///< Removals have guarded pairs beside them.
  bool by_criteria = false;  ///< Removals say what decided which document stays (kept_by).
  /// The text fields, if there are several: removals and pairs then have a score for each.
  std::span<const std::string> text_fields = {};
};

/// Takes the rows of a result. Its functions are called one at a time, from any thread; those that
/// are not overridden ignore the row. If a function returns an Error, the run ends with that Error.
/// Functions must not throw.
class ResultSink {
 public:
  virtual ~ResultSink() = default;

  /// Called before the first row, and again if the run starts over; earlier rows are then void.
  virtual Status Begin(const ResultLayout& /*layout*/) { return {}; }

  /// Takes a removed document. Removals come in input order.
  virtual Status TakeRemoval(const RemovalRow& /*row*/) { return {}; }

  /// Takes a document that could be removed, judged by sketches alone. Suggestions come in input
  /// order.
  virtual Status TakeSuggestion(const RemovalRow& /*row*/) { return {}; }

  /// Takes a cluster. Clusters come in order of their numbers.
  virtual Status TakeCluster(const ClusterRow& /*row*/) { return {}; }

  /// Takes the evidence for a removal. Evidence comes in the input order of the removed documents.
  virtual Status TakeEvidence(const EvidenceRow& /*row*/) { return {}; }

  /// Takes a guarded pair. They come by the keep order of `b`, then of `a`.
  virtual Status TakeGuarded(const GuardedRow& /*row*/) { return {}; }

  /// Takes a record that could not be read. Rejections come in input order, and only from a run
  /// that writes a result; Observer::message reports them in every run.
  virtual Status TakeRejection(const RejectionRow& /*row*/) { return {}; }

  /// Takes a pair. Pairs come in order of a, then of b or rank.
  virtual Status TakePair(const PairRow& /*row*/) { return {}; }

  /// Called after the last row.
  virtual Status End() { return {}; }
};

/// Does what Dedup() does, and also gives the rows of its files to `sink`, unless `sink` is null.
/// The sink gets them before the result is in place, so an Error may still follow. It gets no rows
/// if DedupSummary::was_complete is set.
Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           ResultSink* sink, const Observer& observer = {});

/// Finds what Dedup() would remove and gives it to `sink`, without writing a result.
/// Options::output, overwrite and resume have no effect; DedupSummary::bytes_in, bytes_kept and
/// resumed_units stay 0. Temporary files go to a new folder below Options::scratch, else below the
/// system's folder for them; only a killed run leaves it there.
Result<DedupSummary> Dedup(const Inputs& inputs, ResultSink* sink, const Options& options,
                           const Observer& observer = {});

/// Gives the pairs that Pairs() would write to `sink`, without writing a file; see Dedup().
Result<PairsSummary> Pairs(const Inputs& inputs, ResultSink* sink, const Options& options,
                           const Observer& observer = {});

/// Gives the neighbours that Nearest() would write to `sink`, without writing a file; see Dedup().
Result<NearestSummary> Nearest(const Inputs& inputs, ResultSink* sink, const Options& options,
                               const Observer& observer = {});

/// Returns a sink that writes tables as Arrow files, compressed with zstd, to an existing folder:
/// removed.arrow and rejected.arrow, or suggested.arrow, evidence.arrow, pairs.arrow or
/// neighbours.arrow, with the columns of the files of lines (pairs always with inputs and rows,
/// removals without duplicate_of_reference), and members.arrow, with one row for each member of
/// each cluster.
std::unique_ptr<ResultSink> MakeArrowSink(std::string folder);

}  // namespace lookalike

#endif  // LOOKALIKE_SINK_H_
