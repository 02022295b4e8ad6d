// Gives the rows of a result to several sinks.
#ifndef LOOKALIKE_RESULTS_TEE_SINK_H_
#define LOOKALIKE_RESULTS_TEE_SINK_H_

#include <initializer_list>
#include <vector>

#include "lookalike/sink.h"

namespace lookalike {

/// Gives every row to each of its sinks. Null pointers are left out.
class TeeSink final : public ResultSink {
 public:
  TeeSink(std::initializer_list<ResultSink*> sinks) {
    for (ResultSink* sink : sinks) {
      if (sink != nullptr) sinks_.push_back(sink);
    }
  }

  Status Begin(const ResultLayout& layout) override { return ToAll(&ResultSink::Begin, layout); }
  Status TakeRemoval(const RemovalRow& row) override {
    return ToAll(&ResultSink::TakeRemoval, row);
  }
  Status TakeSuggestion(const RemovalRow& row) override {
    return ToAll(&ResultSink::TakeSuggestion, row);
  }
  Status TakeCluster(const ClusterRow& row) override {
    return ToAll(&ResultSink::TakeCluster, row);
  }
  Status TakeEvidence(const EvidenceRow& row) override {
    return ToAll(&ResultSink::TakeEvidence, row);
  }
  Status TakeGuarded(const GuardedRow& row) override {
    return ToAll(&ResultSink::TakeGuarded, row);
  }
  Status TakeRejection(const RejectionRow& row) override {
    return ToAll(&ResultSink::TakeRejection, row);
  }
  Status TakePair(const PairRow& row) override { return ToAll(&ResultSink::TakePair, row); }
  Status End() override { return ToAll(&ResultSink::End); }

 private:
  template <class... Row>
  Status ToAll(Status (ResultSink::*take)(const Row&...), const Row&... row) {
    for (ResultSink* sink : sinks_) LOOKALIKE_RETURN_IF_ERROR((sink->*take)(row...));
    return {};
  }

  std::vector<ResultSink*> sinks_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_TEE_SINK_H_
