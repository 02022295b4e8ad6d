#include "search/survey.h"

#include <algorithm>
#include <span>
#include <utility>

#include "spill/record_reader.h"

namespace lookalike {
namespace {

enum Stream : uint32_t {
  kCopies,   ///< As in DocumentClasses::copies.
  kReps,     ///< Words of the bitmaps.
  kKeyed,    ///< Likewise.
  kSampled,  ///< As in DocumentClasses::sampled.
  kSets,     ///< For each set of the sample: both halves of its hash, its size, its features.
  kLooks,
  kStreams,
};

Result<Bitmap> ReadBitmap(const Run& survey, uint32_t stream, uint64_t size) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto words, ReadRecords<uint64_t>(survey, stream));
  if (words.size() != (size + 63) / 64) return EndedEarly({}, "the survey of all documents");
  return Bitmap(size, std::move(words));
}

}  // namespace

Result<AuditReservoir::Sets> ReadSample(const Run& survey) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto words, ReadRecords<uint64_t>(survey, kSets));
  AuditReservoir::Sets sets;
  for (std::span<const uint64_t> rest = words; !rest.empty();) {
    if (rest.size() < 3 || rest[2] > rest.size() - 3) return EndedEarly({}, "the sampled sets");
    const auto set = rest.subspan(3, rest[2]);
    sets.emplace_hint(sets.end(), StreamHash{rest[0], rest[1]},
                      std::vector<uint64_t>(set.begin(), set.end()));
    rest = rest.subspan(3 + set.size());
  }
  return sets;
}

Result<Survey> ReadSurvey(const RunPointer& survey, uint64_t documents) {
  Survey read;
  read.classes.copies = survey;
  read.classes.copy_count = survey->bytes(kCopies) / sizeof(ExactCopy);
  LOOKALIKE_ASSIGN_OR_RETURN(read.classes.reps, ReadBitmap(*survey, kReps, documents));
  LOOKALIKE_ASSIGN_OR_RETURN(read.classes.keyed, ReadBitmap(*survey, kKeyed, documents));
  LOOKALIKE_ASSIGN_OR_RETURN(read.classes.sampled, ReadRecords<Rank>(*survey, kSampled));
  LOOKALIKE_ASSIGN_OR_RETURN(read.looks, ReadRecords<AuditLook>(*survey, kLooks));
  return read;
}

Status WriteSurvey(const AuditIndex& audit, const Survey& survey, Workspace* workspace) {
  const auto writer = workspace->Begin(kSurveyUnit, kStreams);
  const DocumentClasses& classes = survey.classes;
  RecordReader<ExactCopy> copies({classes.copies}, 0);
  for (auto block = copies.NextBlock(); !block.empty(); block = copies.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kCopies, std::as_bytes(block)));
  }
  LOOKALIKE_RETURN_IF_ERROR(copies.status());
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kReps, classes.reps.words()));
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kKeyed, classes.keyed.words()));
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kSampled, classes.sampled));
  for (size_t i = 0; i < audit.size(); ++i) {  // by hash, as ReadSample returns them
    const StreamHash& hash = audit.hashes()[i];
    const std::vector<uint64_t>& set = audit.sets()[i];
    const uint64_t head[] = {hash.low, hash.high, set.size()};
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kSets, std::as_bytes(std::span(head))));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kSets, set));
  }
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kLooks, survey.looks));
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer made, writer->Finish());
  return {};
}

}  // namespace lookalike
