// Index::Load: reads inputs, and gives their documents to the index.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "api/sketched_probes.h"
#include "index/load.h"
#include "lookalike/index.h"
#include "lookalike/reader.h"
#include "run/result_checks.h"

namespace lookalike {
namespace {

/// Returns how many bytes of changes a step has: they lie in memory, and are sorted there.
size_t StepBytes(const Options& reading) {
  constexpr uint64_t kPart = 8;  // of the memory, most of which is for the store
  return reading.memory == 0 ? Loader::kStepBytes
                             : std::min<uint64_t>(reading.memory / kPart, Loader::kStepBytes);
}

/// Says what is wrong with an id that the index cannot hold.
bool HasGoodId(const DocumentColumns& block, size_t i, const Observer& observer) {
  const std::string why = WhyRefused(block.Id(i), block.Metadata(i));
  if (why.empty()) return true;
  if (observer.message) observer.message(block.PlaceOf(i) + ": " + why + "; left out");
  return false;
}

/// True for the folder of a result of `dedup`.
bool IsResult(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / kManifestFile, ignored) &&
         std::filesystem::is_regular_file(folder / kChecksFile, ignored);
}

Result<LoadSummary> LoadSketches(const Inputs& files, const Options& reading,
                                 std::optional<double> unless_similar, const Observer& observer,
                                 Index::State* state) {
  if (state->rules.settings.kept != Kept::kNone) {
    return UsageError(
        "a sketch file has no features to be kept; only an index with $<keep=none> "
        "takes one");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto documents,
                             SketchedDocuments::Open(files, state->rules, reading, observer));
  Loader loader(state, unless_similar, StepBytes(reading));
  std::vector<SketchedDocument> block;
  uint64_t rejected = 0;
  for (bool more = true; more;) {
    LOOKALIKE_ASSIGN_OR_RETURN(more, documents.Next(&block));
    for (const SketchedDocument& one : block) {
      if (const std::string why = WhyRefused(one.id); !why.empty()) {
        ++rejected;
        if (observer.message) observer.message(why + "; left out");
        continue;
      }
      LOOKALIKE_RETURN_IF_ERROR(loader.Add({one.id, {}, {}}, one.probe));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(loader.Finish());
  LoadSummary done = loader.done();
  done.rejected = rejected + documents.rejected();
  return done;
}

}  // namespace

bool Index::AreSketches(const Inputs& inputs) { return NamesSketchFile(inputs); }

Result<uint64_t> Index::QuerySketches(
    const Inputs& files, const IndexQuery& query,
    const std::function<Status(const std::string&, const IndexAnswer&)>& take,
    const Observer& observer) const {
  return state_->Do([&]() -> Result<uint64_t> {
    LOOKALIKE_ASSIGN_OR_RETURN(const IndexQuery resolved, state_->Resolve(query));
    LOOKALIKE_ASSIGN_OR_RETURN(
        auto documents,
        SketchedDocuments::Open(files, state_->rules, ReadingOptions({}), observer));
    const auto view = state_->store->View();
    std::vector<SketchedDocument> block;
    for (bool more = true; more;) {
      LOOKALIKE_ASSIGN_OR_RETURN(more, documents.Next(&block));
      for (const SketchedDocument& one : block) {
        LOOKALIKE_ASSIGN_OR_RETURN(const IndexAnswer answer,
                                   Find(state_->rules, *view, one.probe, resolved, NothingLeftOut));
        LOOKALIKE_RETURN_IF_ERROR(take(one.id, answer));
      }
    }
    return documents.rejected();
  });
}

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
    if (NamesSketchFile(inputs)) {
      if (!reading.metadata_field.empty()) {
        return OptionError("a sketch file has no fields; leave out $<metadata-field>");
      }
      return LoadSketches(inputs, reading, unless_similar, observer, state_.get());
    }
    LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader,
                               DocumentReader::Open(InputsOf(inputs), reading, observer));
    Loader loader(state_.get(), unless_similar, StepBytes(reading));
    uint64_t rejected = 0;
    for (bool more = true; more;) {
      DocumentColumns columns;
      LOOKALIKE_ASSIGN_OR_RETURN(more, reader.Next(&columns));
      std::vector<IndexDocument> documents;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (HasGoodId(columns, i, observer)) {
          documents.push_back(
              {columns.Id(i), columns.Text(i), columns.Metadata(i), columns.GuardValues(i)});
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
