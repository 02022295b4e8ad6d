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

inline bool NothingLeftOut(DocumentNumber) { return false; }

struct Index::State {
  State(std::filesystem::path of, IndexMode opened, IndexRules by, std::unique_ptr<Store> with)
      : folder(std::move(of)), mode(opened), rules(std::move(by)), store(std::move(with)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  std::filesystem::path folder;
  IndexMode mode;
  IndexRules rules;
  std::unique_ptr<Store> store;
  std::mutex writing;

  /// Runs a body; its Errors name the folder if they name no place.
  template <class Body>
  auto Do(Body&& body) const -> decltype(body()) {
    auto result = WithoutExceptions(std::forward<Body>(body));
    if (!result) return WithPlace(std::move(result).error(), folder);
    return result;
  }

  [[nodiscard]] Status CheckWritable() const;
  [[nodiscard]] Status CheckUnlessSimilar(double threshold) const;
  [[nodiscard]] Status CheckEqualSettings(const State& other) const;
  [[nodiscard]] Status CheckHasClusters() const;

  [[nodiscard]] static Result<IndexState> StateOf(const StoreView& view);

  /// Changes the index by what `change` does to a batch, in one step.
  template <class Change>
  Status Commit(const Change& change) {
    LOOKALIKE_RETURN_IF_ERROR(CheckWritable());
    const std::lock_guard<std::mutex> lock(writing);
    const auto view = store->View();
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexState state, StateOf(*view));
    IndexBatch batch(rules, *view, state);
    LOOKALIKE_RETURN_IF_ERROR(change(&batch));
    return store->Write(batch.Finish());
  }

  [[nodiscard]] Status CheckQuery(const IndexQuery& query) const;

  [[nodiscard]] static IndexedDocument DocumentOf(DocumentRecord record,
                                                  std::optional<std::string> text);

  /// Adds some of this index's documents to a batch of another one.
  Status AddBlock(const StoreView& view, StoreCursor* cursor, IndexBatch* batch) const;

  [[nodiscard]] Result<std::optional<std::string>> TextOf(const StoreView& view,
                                                          DocumentNumber number) const;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_INDEX_STATE_H_
