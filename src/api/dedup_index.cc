#include "api/dedup_index.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "index/against.h"
#include "io/scratch_folder.h"
#include "lookalike/index.h"
#include "lookalike/reader.h"
#include "results/tee_sink.h"
#include "run/no_exceptions.h"

namespace lookalike {
namespace {

/// A folder for temporary files that is removed at the end.
class OwnFolder {
 public:
  static Result<OwnFolder> Make(const std::string& below) {
    const ScratchFolder::Claim claim = ScratchFolder::NewClaim(below);
    LOOKALIKE_ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Make(claim, below));
    return OwnFolder(claim, std::move(folder));
  }
  OwnFolder(OwnFolder&& other) noexcept
      : claim_(std::move(other.claim_)), folder_(std::exchange(other.folder_, std::nullopt)) {}
  OwnFolder& operator=(OwnFolder&&) = delete;
  ~OwnFolder() {
    if (!folder_) return;
    folder_.reset();
    (void)ScratchFolder::Remove(claim_);
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_->path(); }

 private:
  OwnFolder(ScratchFolder::Claim claim, ScratchFolder folder)
      : claim_(std::move(claim)), folder_(std::move(folder)) {}

  ScratchFolder::Claim claim_;
  std::optional<ScratchFolder> folder_;
};

/// Remembers which documents were removed.
class RemovedPlaces final : public ResultSink {
 public:
  Status Begin(const ResultLayout&) override {
    rows_.clear();
    return {};
  }
  Status TakeRemoval(const RemovalRow& row) override {
    rows_[std::string(row.document.source)].insert(row.document.row);
    return {};
  }

  [[nodiscard]] bool Holds(const std::string& input, uint64_t row) const {
    const auto rows = rows_.find(input);
    return rows != rows_.end() && rows->second.contains(row);
  }

 private:
  std::map<std::string, std::set<uint64_t>> rows_;
};

Status CheckCall(const Inputs& inputs, const Options& options, size_t indexes) {
  if (std::find(inputs.names.begin(), inputs.names.end(), "-") != inputs.names.end()) {
    return UsageError(
        "standard input cannot be compared with an index, because it is read twice; write it to a "
        "file first");
  }
  if (options.resume) {
    return OptionError("$<resume> does not work with an index; run without it");
  }
  if (options.add && indexes != 1) {
    return OptionError("$<add> needs exactly one index in $<against>, " + std::to_string(indexes) +
                       " given");
  }
  return {};
}

/// Adds the documents that were kept, in one step.
Status AddKept(const Inputs& inputs, const Options& options, const RemovedPlaces& removed,
               Index* index) {
  Options reading = options;
  reading.against.clear();
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader, DocumentReader::Open(inputs, reading));
  return index->AddAll([&](std::vector<DocumentToAdd>* block) -> Result<bool> {
    DocumentColumns columns;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader.Next(&columns));
    for (size_t i = 0; i < columns.size(); ++i) {
      if (removed.Holds(columns.input, columns.rows[i])) continue;
      block->push_back({std::string(columns.Id(i)), std::string(columns.Text(i)), {}});
    }
    return more;
  });
}

}  // namespace

bool NamesIndex(const Options& options) {
  return std::any_of(options.against.begin(), options.against.end(), IsIndex);
}

Result<DedupSummary> DedupAgainstIndex(const Inputs& inputs, const Options& options,
                                       const std::string& folder, ResultSink* sink,
                                       const Observer& observer, const RunWith& run) {
  return WithoutExceptions([&]() -> Result<DedupSummary> {
    const auto& against = options.against;
    const auto indexes =
        static_cast<size_t>(std::count_if(against.begin(), against.end(), IsIndex));
    LOOKALIKE_RETURN_IF_ERROR(CheckCall(inputs, options, indexes));
    LOOKALIKE_ASSIGN_OR_RETURN(const OwnFolder scratch, OwnFolder::Make(folder));
    Inputs own = inputs;
    Options reading = options;
    reading.against.clear();
    std::optional<Index> changed;
    for (size_t i = 0; i < against.size(); ++i) {
      if (!IsIndex(against[i])) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(
          Index index, Index::Open(against[i], options.add ? IndexMode::kWrite : IndexMode::kRead));
      const std::filesystem::path named = std::filesystem::absolute(against[i]).lexically_normal();
      const std::string name = (named.filename().empty() ? named.parent_path() : named).filename();
      const std::filesystem::path place = scratch.path() / std::to_string(i);
      std::filesystem::create_directories(place);
      own.stand_ins[against[i]] = place / name;
      LOOKALIKE_RETURN_IF_ERROR(WriteMatches(index, inputs, reading, observer, place / name));
      if (options.add) changed = std::move(index);
    }
    RemovedPlaces removed;
    TeeSink both = {sink, options.add ? &removed : nullptr};
    auto summary = run(own, options.add ? &both : sink);
    if (!summary || !changed) return summary;
    if (Status added = AddKept(inputs, options, removed, &*changed); !added) {
      Error error = std::move(added).error();
      error.what += "; the result is complete, and the index is as it was";
      return tl::make_unexpected(std::move(error));
    }
    return summary;
  });
}

}  // namespace lookalike
