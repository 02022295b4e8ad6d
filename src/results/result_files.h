// The files of lines of a result: removed.jsonl or suggested.jsonl, clusters.jsonl, evidence.jsonl,
// rejected.jsonl.
#ifndef LOOKALIKE_RESULTS_RESULT_FILES_H_
#define LOOKALIKE_RESULTS_RESULT_FILES_H_

#include <memory>
#include <string>

#include "io/output_stream.h"
#include "lookalike/sink.h"

namespace lookalike {

/// Writes a line for each row of a result of `dedup`.
class ResultFiles final : public ResultSink {
 public:
  explicit ResultFiles(std::string folder) : folder_(std::move(folder)) {}

  Status Begin(const ResultLayout& layout) override;
  Status TakeRemoval(const RemovalRow& row) override;
  Status TakeSuggestion(const RemovalRow& row) override;
  Status TakeCluster(const ClusterRow& row) override;
  Status TakeEvidence(const EvidenceRow& row) override;
  Status TakeRejection(const RejectionRow& row) override;
  Status End() override;

 private:
  std::string folder_;
  ResultLayout layout_;
  std::unique_ptr<OutputStream> removals_;  ///< Or suggestions.
  std::unique_ptr<OutputStream> clusters_, evidence_, rejected_;
  std::string text_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_FILES_H_
