// Index::Load: reads inputs, and gives their documents to the index.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "index/load.h"
#include "lookalike/index.h"
#include "lookalike/reader.h"
#include "run/result_checks.h"

namespace lookalike {
namespace {

/// Says what is wrong with an id that the index cannot hold.
bool HasGoodId(const DocumentColumns& block, size_t i, const Observer& observer) {
  const size_t size = block.Id(i).size();
  if (size > 0 && size <= kLongestIndexId) return true;
  if (observer.message) {
    observer.message(block.PlaceOf(i) + ": the id has " + std::to_string(size) + " bytes, 1 to " +
                     std::to_string(kLongestIndexId) + " are allowed; left out");
  }
  return false;
}

/// True for the folder of a result of `dedup`.
bool IsResult(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / kManifestFile, ignored) &&
         std::filesystem::is_regular_file(folder / kChecksFile, ignored) &&
         std::filesystem::is_directory(folder / "kept", ignored);
}

}  // namespace

Inputs Index::InputsOf(const Inputs& given) {
  Inputs inputs = given;
  for (std::string& name : inputs.names) {
    if (!inputs.tables.contains(name) && IsResult(name)) name += "/kept";
  }
  return inputs;
}

Result<LoadSummary> Index::Load(const Inputs& inputs, const Options& reading,
                                std::optional<double> unless_similar, const Observer& observer) {
  return state_->Do([&]() -> Result<LoadSummary> {
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckWritable());
    if (unless_similar) LOOKALIKE_RETURN_IF_ERROR(state_->CheckUnlessSimilar(*unless_similar));
    LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader,
                               DocumentReader::Open(InputsOf(inputs), reading, observer));
    Loader loader(state_.get(), unless_similar);
    uint64_t rejected = 0;
    for (bool more = true; more;) {
      DocumentColumns columns;
      LOOKALIKE_ASSIGN_OR_RETURN(more, reader.Next(&columns));
      std::vector<IndexDocument> documents;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (HasGoodId(columns, i, observer)) {
          documents.push_back({columns.Id(i), columns.Text(i), {}});
        } else {
          ++rejected;
        }
      }
      LOOKALIKE_RETURN_IF_ERROR(loader.Add(documents));
    }
    LOOKALIKE_RETURN_IF_ERROR(loader.Finish());
    LoadSummary done = loader.done();
    done.rejected = rejected + reader.records().rejected;
    return done;
  });
}

}  // namespace lookalike
