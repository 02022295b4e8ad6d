#include "index/add_all.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "index/data_folder.h"
#include "index/load.h"

namespace lookalike {
namespace {

using NextBlock = std::function<Result<bool>(std::vector<DocumentToAdd>*)>;

std::vector<IndexDocument> Views(std::span<const DocumentToAdd> block) {
  std::vector<IndexDocument> documents;
  for (const DocumentToAdd& one : block) {
    documents.push_back({one.id, one.text, one.metadata, one.guard_values});
  }
  return documents;
}

/// Adds a block, and all that follow, to the store in a folder.
Status AddTo(const std::filesystem::path& data, std::vector<DocumentToAdd> block,
             const NextBlock& next, const Index::State& state) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto store, OpenStore(data, StoreMode::kWrite, CacheOf(state.memory)));
  LOOKALIKE_ASSIGN_OR_RETURN(IndexRules rules,
                             DecodeSettings(EncodeSettings(state.rules), state.folder));
  Index::State copy(state.folder, IndexMode::kWrite, state.memory, std::move(rules),
                    std::move(store));
  Loader loader(&copy, {});
  for (bool more = true; more;) {
    LOOKALIKE_RETURN_IF_ERROR(loader.Add(Views(block)));
    block.clear();
    LOOKALIKE_ASSIGN_OR_RETURN(more, next(&block));
  }
  LOOKALIKE_RETURN_IF_ERROR(loader.Add(Views(block)));
  return loader.Finish();
}

/// Has the copy of a store take its place, with the documents added.
Status AddBeside(std::vector<DocumentToAdd> block, const NextBlock& next, Index::State* state) {
  LOOKALIKE_RETURN_IF_ERROR(state->CheckWritable());
  const std::lock_guard lock(state->writing);
  const std::filesystem::path old = DataOf(state->folder), data = NextDataOf(state->folder);
  Status added = state->store->Copy(data);
  if (added) added = AddTo(data, std::move(block), next, *state);
  if (added) added = ReplaceData(state->folder, data);
  if (added) {
    state->EndWriting(old);
  } else {
    state->DropCopy(data);
  }
  return added;
}

}  // namespace

Result<std::vector<AddAnswer>> AddBatch(std::span<const IndexDocument> documents,
                                        std::optional<double> unless_similar, Index::State* state) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto probes, ProbesToAdd(state->rules, documents));
  std::vector<AddAnswer> answers;
  LOOKALIKE_RETURN_IF_ERROR(state->Commit([&](IndexBatch* batch) -> Status {
    for (size_t i = 0; i < documents.size(); ++i) {
      LOOKALIKE_ASSIGN_OR_RETURN(AddAnswer answer,
                                 batch->Add(documents[i], probes[i], unless_similar));
      answers.push_back(std::move(answer));
    }
    return {};
  }));
  return answers;
}

Status AddInOneStep(const NextBlock& next, size_t in_memory, Index::State* state) {
  std::vector<DocumentToAdd> block;
  size_t bytes = 0;
  while (bytes < in_memory) {
    const size_t before = block.size();
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, next(&block));
    for (size_t i = before; i < block.size(); ++i) bytes += block[i].text.size();
    if (more) continue;
    auto added = AddBatch(Views(block), {}, state);
    return added ? Status() : tl::make_unexpected(std::move(added).error());
  }
  return AddBeside(std::move(block), next, state);
}

}  // namespace lookalike
