#include "results/suggestions.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "results/doc_cursor.h"
#include "search/stored_estimate.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Number of documents whose members and sketches are in memory at a time.
constexpr size_t kRemovalsAtATime = 1 << 10;

class SuggestionWriter {
 public:
  SuggestionWriter(const Job& job, const SearchResult& search, const Decisions& decisions,
                   const StoredMembers& members, OutputStream* stream)
      : job_(job),
        kept_(job.Kept()),
        estimator_(job),
        sketches_(search.sets),
        members_(members),
        clusters_(decisions.clusters.by_doc),
        stream_(*stream) {}

  Status Write(std::span<const DocRemoval> removals) {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : removals) {
      docs.insert(docs.end(), {removal.doc, removal.witness});
    }
    std::sort(docs.begin(), docs.end());
    docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
    LOOKALIKE_RETURN_IF_ERROR(sketches_.Gather(docs, &gathered_));
    LOOKALIKE_ASSIGN_OR_RETURN(const MemberList named, members_.Gather(job_, std::move(docs)));
    text_.clear();
    for (const DocRemoval& removal : removals) {
      const ClusterOfDoc* entry = clusters_.Find(removal.doc);
      if (entry == nullptr) return EndedEarly(clusters_.status(), "the list of clusters");
      Append(named.Of(removal.doc), named.Of(removal.witness), EstimateOfPair(removal),
             entry->cluster);
    }
    return stream_.Write(text_);
  }

 private:
  [[nodiscard]] ResemblanceEstimate EstimateOfPair(const DocRemoval& removal) const {
    const StoredValues gone = gathered_.Of(removal.doc), stays = gathered_.Of(removal.witness);
    return EstimateOf(kept_, estimator_.Match(gone, stays), gone[0], stays[0]);
  }

  void Append(const Member& gone, const Member& stays, const ResemblanceEstimate& estimate,
              uint64_t cluster) {
    text_ += "{\"id\": ";
    AppendJsonString(&text_, gone.id);
    text_ += ", \"source\": ";
    AppendJsonString(&text_, job_.inputs.NameOf(gone.source));
    text_ += ", \"row\": " + std::to_string(gone.row) + ", \"duplicate_of\": ";
    AppendJsonString(&text_, stays.id);
    text_ += ", \"duplicate_of_source\": ";
    if (stays.source == gone.source) {
      text_ += "null";  // the same input, as in removed.jsonl
    } else {
      AppendJsonString(&text_, job_.inputs.NameOf(stays.source));
    }
    text_ += ", \"duplicate_of_row\": " + std::to_string(stays.row) + ", \"resemblance\": ";
    AppendJsonNumber(&text_, estimate.resemblance);
    text_ += ", \"exact\": false, \"standard_error\": ";
    AppendJsonNumber(&text_, estimate.standard_error);
    text_ += ", \"cluster\": " + std::to_string(cluster) + "}\n";
  }

  const Job& job_;
  KeptSketch kept_;
  StoredEstimator estimator_;
  const StoredSets& sketches_;
  const StoredMembers& members_;
  DocCursor<ClusterOfDoc> clusters_;
  OutputStream& stream_;
  DocumentSets gathered_;
  std::string text_;
};

}  // namespace

Status WriteSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                        const StoredMembers& members, const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, Codec::kNone));
  SuggestionWriter writer(job, search, decisions, members, stream.get());
  RecordReader<DocRemoval> removals({decisions.removals}, 0, kRemovalsAtATime * sizeof(DocRemoval));
  uint64_t written = 0;
  for (auto block = removals.NextBlock(); !block.empty(); block = removals.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(writer.Write(block));
    written += block.size();
  }
  if (!removals.status() || written != decisions.removed_exact + decisions.removed_near) {
    return EndedEarly(removals.status(), "the list of removals");
  }
  return stream->Close();
}

}  // namespace lookalike
