// The lists of a result of `dedup`, opened so that one cluster is found without reading the others.
#ifndef LOOKALIKE_RESULT_LISTS_H_
#define LOOKALIKE_RESULT_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/options.h"
#include "lookalike/removal_kind.h"
#include "lookalike/status.h"

namespace lookalike {

/// A document of a result. Its input and row say which one it is: ids can occur twice.
struct ListedDocument {
  std::string id;
  std::string source;         ///< The name of its input; empty: the lists do not say.
  uint64_t row = 0;           ///< From 1.
  bool in_reference = false;  ///< The input is one of --against.

  bool operator==(const ListedDocument&) const = default;
};

/// Returns "source:row", with "against:" in front for a document of the reference: it names one
/// document of a result. Empty if the lists do not say where the document is.
std::string PlaceOf(const ListedDocument& document);

/// A line of removed.jsonl.
struct ListedRemoval {
  ListedDocument document, witness;
  RemovalKind kind = RemovalKind::kNear;
  double resemblance = 0;
  /// The share of the document's features that the witness has, and the reverse; with containment
  /// only.
  std::optional<double> containment_ab = {}, containment_ba = {};
  /// Names what decided that the witness stays (`kept_by`); empty for a run with `keep` first.
  std::string kept_by = {};

  /// Returns what the threshold was about.
  [[nodiscard]] double score() const;
};

/// A line of clusters.jsonl, without its members.
struct ListedCluster {
  uint64_t number = 0;  ///< From 1, the largest first.
  uint64_t size = 0;    ///< Documents.
  /// The documents that stay. Of one that none of the first thousand documents of the cluster was
  /// removed for, the input is unknown.
  std::vector<ListedDocument> kept;
  uint64_t removed = 0;  ///< Documents of removed.jsonl.
};

/// Records that could not be read for the same reason.
struct ListedReason {
  std::string reason;  ///< As in rejected.jsonl.
  uint64_t records = 0;

  bool operator==(const ListedReason&) const = default;
};

/// Lines of guarded.jsonl.
struct ListedPairs {
  std::vector<std::string> lines;     ///< JSON objects.
  std::optional<uint64_t> next = {};  ///< Where to go on, if there are more.
};

/// An open result. Safe to use from several threads; its files must stay as they are meanwhile.
class ResultLists {
 public:
  /// Opens the result in a folder. Reads its lists once, but keeps only where their lines are: 16
  /// bytes for each cluster and 8 for each removal. Returns an Error if there is no result, or its
  /// lists are damaged.
  static Result<ResultLists> Open(const std::string& folder);

  ResultLists(ResultLists&&) noexcept;
  ResultLists& operator=(ResultLists&&) noexcept;
  ~ResultLists();

  /// Returns manifest.json.
  [[nodiscard]] const std::string& manifest() const;

  /// Returns the options that the result was made with, as far as they affect results.
  [[nodiscard]] const Options& options() const;

  /// Returns the hash that ends checks.jsonl, which no other result has; empty: there is none.
  [[nodiscard]] const std::string& hash() const;

  /// Checks that these are the inputs that the result was made from: the size of each, and the
  /// first and the last megabyte, are as checks.jsonl says. `options` say how they are read.
  [[nodiscard]] Status CheckInputs(const Inputs& inputs, const Options& options) const;

  /// Checks besides that these are all of them, in the same order.
  [[nodiscard]] Status CheckAllInputs(const Inputs& inputs, const Options& options) const;

  /// Returns the data of report.html, a JSON object (web/report/src/data.ts); none if there is no
  /// such page.
  [[nodiscard]] Result<std::optional<std::string>> ReportData() const;

  /// Returns why records were rejected, the commonest reason first, and at most `most` reasons.
  /// Reads rejected.jsonl once.
  [[nodiscard]] Result<std::vector<ListedReason>> Rejections(size_t most) const;

  /// Returns pairs that guards keep apart, as guarded.jsonl has them: `most` of them from `after`
  /// on, which is 0 or what an earlier answer calls `next`. None if the run had no guards.
  [[nodiscard]] Result<ListedPairs> Guarded(uint64_t after, size_t most) const;

  /// Returns the number of clusters.
  [[nodiscard]] uint64_t clusters() const;

  /// Returns a cluster. REQUIRES: 1 <= number <= clusters().
  [[nodiscard]] Result<ListedCluster> Cluster(uint64_t number) const;

  /// Returns the removals of a cluster in input order: `count` of them from the one at `first` on,
  /// or as many as there are. REQUIRES: 1 <= number <= clusters().
  [[nodiscard]] Result<std::vector<ListedRemoval>> Removals(uint64_t number, uint64_t first,
                                                            uint64_t count) const;

 private:
  struct State;
  explicit ResultLists(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULT_LISTS_H_
