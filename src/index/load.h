// Adding very many documents to an index: large steps, each as sorted files.
#ifndef LOOKALIKE_INDEX_LOAD_H_
#define LOOKALIKE_INDEX_LOAD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "index/index_state.h"
#include "index/search.h"
#include "index/store.h"
#include "lookalike/index.h"

namespace lookalike {

class Loader {
 public:
  /// A step has about so many bytes of changes. More take more memory; fewer cost more merging.
  static constexpr size_t kStepBytes = size_t{192} << 20;

  /// `state` outlives the loader. One loader at a time.
  Loader(Index::State* state, std::optional<double> unless_similar, size_t step_bytes = kStepBytes)
      : state_(*state), unless_similar_(unless_similar), step_bytes_(step_bytes) {}
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader();

  /// Adds or replaces documents, in their order.
  Status Add(std::span<const IndexDocument> documents);
  /// The same for one of which it is known what is compared.
  Status Add(const IndexDocument& document, const Probe& probe);

  /// Makes everything durable. Without it, what was added since the last step is lost.
  Status Finish();

  [[nodiscard]] const LoadSummary& done() const { return done_; }

 private:
  Status BeginStep();
  Status EndFullStep();
  Status EndStep();
  Status AddOne(const IndexDocument& document, const Probe& probe);
  /// Reads the keys of the index, once that is worth it.
  Status LearnKeys();

  Index::State& state_;
  std::optional<double> unless_similar_;
  size_t step_bytes_;
  StoreBatch changes_;
  std::unique_ptr<IndexStep> step_;
  uint64_t step_documents_ = 0;
  bool has_begun_ = false;
  LoadSummary done_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_LOAD_H_
