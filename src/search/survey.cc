#include "search/survey.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "spill/record_reader.h"

namespace lookalike {
namespace {

enum Stream : uint32_t {
  kCopies,    ///< As in DocumentClasses::copies.
  kSearched,  ///< Words of the bitmap of searched documents: the unit's share of them.
  kKeyed,     ///< Likewise.
  kSampled,   ///< As in DocumentClasses::sampled.
  kSets,      ///< For each set of the sample: both halves of its hash, its size, its features.
  kStreams,
};

std::string SurveyUnit(uint64_t unit) { return "survey/" + std::to_string(unit); }

/// Returns the words of a bitmap that a unit stores.
std::span<const uint64_t> WordsOf(const Bitmap& bits, uint64_t unit, uint64_t units) {
  const std::vector<uint64_t>& words = bits.words();
  const uint64_t first = words.size() * unit / units, end = words.size() * (unit + 1) / units;
  return std::span(words).subspan(first, end - first);
}

/// Puts together the bitmap of which each unit stores a share.
Result<Bitmap> ReadBitmap(const SurveyUnits& survey, uint32_t stream, uint64_t size) {
  std::vector<uint64_t> words;
  for (const RunPointer& unit : survey) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto some, ReadRecords<uint64_t>(*unit, stream));
    words.insert(words.end(), some.begin(), some.end());
  }
  if (words.size() != (size + 63) / 64) return EndedEarly({}, "the survey of all documents");
  return Bitmap(size, std::move(words));
}

Status WriteSample(const AuditIndex& audit, RunWriter* writer) {
  for (size_t i = 0; i < audit.size(); ++i) {  // by hash, as ReadSample returns them
    const StreamHash& hash = audit.hashes()[i];
    const std::vector<uint64_t>& set = audit.sets()[i];
    const uint64_t head[] = {hash.low, hash.high, set.size()};
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(kSets, std::as_bytes(std::span(head))));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kSets, set));
  }
  return {};
}

}  // namespace

Result<SurveyUnits> FinishedSurvey(const Job& job, Workspace* workspace) {
  SurveyUnits units;
  const bool is_early = workspace->IsIn(kFingerprintStage) || workspace->IsIn(kSurveyStage);
  if (!workspace->adopts_units() || is_early) return units;
  for (uint32_t unit = 0; unit < job.key_units(); ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(units.emplace_back(), workspace->Finished(SurveyUnit(unit)));
    if (!units.back()) return EndedEarly({}, "the survey of all documents");
  }
  return units;
}

bool TakesSample(const SurveyUnits& surveyed, const Workspace& workspace) {
  if (!surveyed.empty()) return false;
  return !workspace.IsIn(kSurveyStage) || workspace.IsToDo(kSurveyStage, 0);
}

Result<AuditReservoir::Sets> ReadSample(const SurveyUnits& survey) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto words, ReadRecords<uint64_t>(*survey.front(), kSets));
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

Result<DocumentClasses> ReadClasses(const SurveyUnits& survey, uint64_t documents,
                                    const Ranking& ranking) {
  DocumentClasses classes;
  LOOKALIKE_ASSIGN_OR_RETURN(classes.reps, ReadBitmap(survey, kSearched, documents));
  LOOKALIKE_ASSIGN_OR_RETURN(classes.keyed, ReadBitmap(survey, kKeyed, documents));
  LOOKALIKE_ASSIGN_OR_RETURN(classes.sampled, ReadRecords<Rank>(*survey.front(), kSampled));
  for (const RunPointer& unit : survey) {
    LOOKALIKE_RETURN_IF_ERROR(classes.AddCopies(unit, ranking));
  }
  return classes;
}

Status MakeSurvey(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                  const AuditIndex& audit, Workspace* workspace) {
  const ClassUnits which = {job.key_units(), workspace->ToDo(kSurveyStage, job.key_units())};
  const auto take = [&](size_t unit, const DocumentFlags& flags,
                        Sorted<ExactCopy>* copies) -> Status {
    const auto writer = workspace->Begin(SurveyUnit(unit), kStreams);
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(copies, kCopies, writer.get()));
    const auto append = [&](uint32_t stream, const Bitmap& bits) {
      return writer->Append(stream, std::as_bytes(WordsOf(bits, unit, which.count)));
    };
    LOOKALIKE_RETURN_IF_ERROR(append(kSearched, flags.searched));
    LOOKALIKE_RETURN_IF_ERROR(append(kKeyed, flags.keyed));
    if (unit == 0) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kSampled, flags.sampled));
      LOOKALIKE_RETURN_IF_ERROR(WriteSample(audit, writer.get()));
    }
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer made, writer->Finish());
    return workspace->Record(kSurveyStage, unit, {SurveyUnit(unit)});
  };
  const auto flags = FindCopies(job, units, ranking, audit.hashes(), which, workspace, take);
  return flags ? Status() : tl::make_unexpected(flags.error());
}

}  // namespace lookalike
