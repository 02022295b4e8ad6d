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

/// An index gets this part of the memory of a run, which goes on when the matches are known.
constexpr uint64_t kShareOfRun = 4;

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
  if (!options.decisions.empty()) {
    return OptionError(
        "$<decisions> does not work with an index as $<against>, whose documents have no rows that "
        "decisions could name; pass the files that the index was made from");
  }
  if (std::any_of(inputs.names.begin(), inputs.names.end(), IsIndex)) {
    return UsageError("an index is no input; name it in $<against>");
  }
  if (options.add && options.skip_bad_inputs) {
    return OptionError(
        "$<add> does not work with $<skip-bad-inputs>: documents of an input that "
        "was left out must not count as seen");
  }
  if (options.add && indexes != 1) {
    return OptionError("$<add> needs exactly one index in $<against>, " + std::to_string(indexes) +
                       " given");
  }
  return {};
}

/// Gives the documents that were kept to an index, and makes sure that these are all of them.
class KeptDocuments {
 public:
  KeptDocuments(DocumentReader reader, const RemovedPlaces& removed, uint64_t kept,
                const Index& index, const Observer& observer)
      : reader_(std::move(reader)),
        removed_(removed),
        kept_(kept),
        index_(index),
        observer_(observer) {}

  Result<bool> Next(std::vector<DocumentToAdd>* block) {
    DocumentColumns columns;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader_.Next(&columns));
    for (size_t i = 0; i < columns.size(); ++i) {
      if (removed_.Holds(columns.input, columns.rows[i])) continue;
      ++found_;
      LOOKALIKE_RETURN_IF_ERROR(Give(columns, i, block));
    }
    if (more || found_ == kept_) return more;
    return InputError(
        "the inputs are not as they were when they were compared: " + std::to_string(found_) +
        " documents are not removed, expected " + std::to_string(kept_));
  }

 private:
  Status Give(const DocumentColumns& columns, size_t i, std::vector<DocumentToAdd>* block) {
    const std::string id(columns.Id(i));
    const std::string place = columns.PlaceOf(i);
    if (const std::string why = WhyRefused(id); !why.empty()) {
      if (observer_.message) observer_.message(place + ": " + why + "; not added to the index");
      return {};
    }
    if (!ids_.insert(id).second) {
      return InputError("the id " + id +
                            " was that of another document before; an index has one "
                            "document of each id",
                        place);
    }
    if (id == place) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto other, index_.Get(id));
      if (other) {
        return InputError(
            "it has no id, and the index has another document of this name and row; "
            "name a field that tells documents of all dumps apart with $<id-field>",
            place);
      }
    }
    const auto values = columns.GuardValues(i);
    block->push_back({id, std::string(columns.Text(i)), {}, {values.begin(), values.end()}});
    return {};
  }

  DocumentReader reader_;
  const RemovedPlaces& removed_;
  uint64_t kept_, found_ = 0;
  const Index& index_;
  const Observer& observer_;
  std::set<std::string> ids_;
};

/// Adds the documents that were kept, in one step.
Status AddKept(const Inputs& inputs, const Options& options, const RemovedPlaces& removed,
               uint64_t kept, const Observer& observer, Index* index) {
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader, DocumentReader::Open(inputs, options));
  KeptDocuments documents(std::move(reader), removed, kept, *index, observer);
  return std::move(*index).AddAll(
      [&](std::vector<DocumentToAdd>* block) { return documents.Next(block); });
}

}  // namespace

bool NamesIndex(const Options& options) {
  return std::any_of(options.against.begin(), options.against.end(), IsIndex);
}

Result<DedupSummary> DedupAgainstIndex(const Inputs& inputs, const Options& options,
                                       const std::string& folder, ResultSink* sink,
                                       const Observer& observer, const RunWith& run) {
  return WithoutExceptions([&]() -> Result<DedupSummary> {
    const Stopwatch stopwatch;
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
          Index index, Index::Open(against[i], options.add ? IndexMode::kWrite : IndexMode::kRead,
                                   options.memory / kShareOfRun));
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
    if (!summary) return summary;
    if (changed) {
      Status added = AddKept(inputs, reading, removed, summary->records.kept, observer, &*changed);
      if (!added) {
        Error error = std::move(added).error();
        error.what += "; the result is complete, and the index is as it was";
        return tl::make_unexpected(std::move(error));
      }
    }
    if (!summary->was_complete) summary->seconds = stopwatch.Seconds();  // the index is part of it
    return summary;
  });
}

}  // namespace lookalike
