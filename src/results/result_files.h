// The files of lines of a result: removed.jsonl or suggested.jsonl, clusters.jsonl, evidence.jsonl,
// guarded.jsonl, rejected.jsonl.
#ifndef LOOKALIKE_RESULTS_RESULT_FILES_H_
#define LOOKALIKE_RESULTS_RESULT_FILES_H_

#include <memory>
#include <string>
#include <string_view>

#include "io/output_stream.h"
#include "lookalike/sink.h"

namespace lookalike {

/// Writes a line for each row of a result of `dedup`. Lines of removals and clusters can be made
/// apart from writing them, on any thread.
class ResultFiles final : public ResultSink {
 public:
  explicit ResultFiles(std::string folder) : folder_(std::move(folder)) {}

  Status Begin(const ResultLayout& layout) override;
  Status TakeRemoval(const RemovalRow& row) override;
  Status TakeSuggestion(const RemovalRow& row) override;
  Status TakeCluster(const ClusterRow& row) override;
  Status TakeEvidence(const EvidenceRow& row) override;
  Status TakeGuarded(const GuardedRow& row) override;
  Status TakeRejection(const RejectionRow& row) override;
  Status End() override;

  /// Appends the line of a row to `lines`.
  void AppendRemoval(const RemovalRow& row, std::string* lines) const;
  Status AppendCluster(const ClusterRow& row, std::string* lines) const;

  /// Writes lines that were made.
  Status WriteRemovals(std::string_view lines) { return removals_->Write(lines); }
  Status WriteClusters(std::string_view lines) { return clusters_->Write(lines); }

 private:
  void AppendKeptBy(const RemovalRow& row, std::string* lines) const;

  std::string folder_;
  ResultLayout layout_;
  std::unique_ptr<OutputStream> removals_;  ///< Or suggestions.
  std::unique_ptr<OutputStream> clusters_, evidence_, guarded_, rejected_;
  std::string text_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_FILES_H_
