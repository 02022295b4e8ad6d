// An open index: its folder, its rules and its store.
#ifndef LOOKALIKE_INDEX_INDEX_STATE_H_
#define LOOKALIKE_INDEX_INDEX_STATE_H_

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "index/batch.h"
#include "index/encoding.h"
#include "index/known_keys.h"
#include "index/rules.h"
#include "index/search.h"
#include "index/store.h"
#include "lookalike/index.h"
#include "run/no_exceptions.h"

namespace lookalike {

/// The file that makes a folder an index, and how it begins.
inline constexpr std::string_view kFormatName = "format", kFormat = "lookalike index ";

/// Returns the version of the format of an index; nothing if the folder is none.
std::optional<std::string> VersionOf(const std::filesystem::path& folder);

inline std::filesystem::path HolderOf(const std::filesystem::path& folder) {
  return folder / "holder.json";
}

/// Names the folder as the place of an error that has none.
inline Failure WithPlace(Error error, const std::filesystem::path& folder) {
  if (error.where.empty()) error.where = folder.string();
  return tl::make_unexpected(std::move(error));
}

/// Returns what is compared of documents that are to be added, or an Error if one cannot be.
Result<std::vector<Probe>> ProbesToAdd(const IndexRules& rules,
                                       std::span<const IndexDocument> documents);

inline bool NothingLeftOut(DocumentNumber) { return false; }

/// Returns the memory of an index that is told `memory`: as Index::Open() says.
uint64_t MemoryOf(uint64_t memory);

/// Returns the share of an index's memory for what was read of its files.
inline uint64_t CacheOf(uint64_t memory) { return MemoryOf(memory) / 2; }

class IndexStep;

struct Index::State {
  State(std::filesystem::path of, IndexMode opened, uint64_t bytes, IndexRules by,
        std::unique_ptr<Store> with)
      : folder(std::move(of)),
        mode(opened),
        memory(bytes),
        rules(std::move(by)),
        store(std::move(with)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  std::filesystem::path folder;
  IndexMode mode;
  uint64_t memory;     ///< As Index::Open() was told.
  bool holds = false;  ///< The index is locked for writing, and holder.json says so.
  IndexRules rules;
  std::unique_ptr<Store> store;
  std::filesystem::path replaced;  // the folder of a store that is none of the index any more
  std::mutex writing;              // guards what follows, and the order of batches
  std::unique_ptr<KnownKeys> known_keys;  // while documents are loaded

  /// Runs a body; its Errors name the folder if they name no place.
  template <class Body>
  auto Do(Body&& body) const -> decltype(body()) {
    auto result = WithoutExceptions(std::forward<Body>(body));
    if (!result) return WithPlace(std::move(result).error(), folder);
    return result;
  }

  /// Another store has taken the place of this one, which is in the folder `old`, and which can
  /// only be read from now on.
  void EndWriting(std::filesystem::path old);

  /// Removes a copy of the store that could not take its place. If nobody knows whether it did,
  /// because the disk failed in between, it stays, and nothing is written to this one any more.
  void DropCopy(const std::filesystem::path& data);

  [[nodiscard]] Status CheckWritable() const;
  [[nodiscard]] Status CheckUnlessSimilar(double threshold) const;
  [[nodiscard]] Status CheckEqualSettings(const State& other) const;
  [[nodiscard]] Status CheckHasClusters() const;

  [[nodiscard]] static Result<IndexState> StateOf(const StoreView& view);

  /// Changes the index by what `change` does to a batch, in one step.
  template <class Change>
  Status Commit(const Change& change);

  [[nodiscard]] Status CheckMeasure(const IndexQuery& query) const;
  /// Returns a query as it is answered, or the Error if it cannot be.
  [[nodiscard]] Result<IndexQuery> Resolve(IndexQuery query) const;

  [[nodiscard]] static IndexedDocument DocumentOf(DocumentRecord record,
                                                  std::optional<std::string> text);

  [[nodiscard]] Result<std::optional<std::string>> TextOf(const StoreView& view,
                                                          DocumentNumber number) const;
};

/// A step of changes, which the index makes as a whole or not at all. Nobody else changes the index
/// as long as there is one.
class IndexStep {
 public:
  /// Both outlive the step. `changes` is cleared first.
  static Result<std::unique_ptr<IndexStep>> Begin(Index::State* state, StoreBatch* changes);
  IndexStep(const IndexStep&) = delete;
  IndexStep& operator=(const IndexStep&) = delete;

  [[nodiscard]] IndexBatch& batch() { return *batch_; }
  [[nodiscard]] const StoreBatch& changes() const { return changes_; }

  /// Makes the changes, durably. The last call of a step.
  Status Write();
  /// The same for thousands of documents.
  Status WriteFiles();

 private:
  IndexStep(Index::State* state, StoreBatch* changes);

  Index::State& state_;
  StoreBatch& changes_;
  std::unique_lock<std::mutex> lock_;
  std::unique_ptr<StoreView> stored_;
  std::optional<IndexBatch> batch_;
};

template <class Change>
Status Index::State::Commit(const Change& change) {
  StoreBatch changes;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto step, IndexStep::Begin(this, &changes));
  LOOKALIKE_RETURN_IF_ERROR(change(&step->batch()));
  return step->Write();
}

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_INDEX_STATE_H_
