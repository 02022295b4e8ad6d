#include "results/scores.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_system.h"
#include "io/output_stream.h"
#include "search/pair_reader.h"
#include "spill/record_reader.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

/// The second magic is that of a file with a ranking, whose levels the first version did not have.
/// The third is that of a file of guards, whose pairs have three states.
constexpr std::string_view kMagic = "LKSCORE1", kRankedMagic = "LKSCORE2",
                           kGuardedMagic = "LKSCORE3";
constexpr uint64_t kStates = 3;  // of a pair: not compared, an edge, kept apart by a guard
constexpr size_t kHashBytes = sizeof(uint64_t);
constexpr size_t kFlushBytes = size_t{1} << 16;
constexpr uint64_t kSkipped = 1, kEveryRow = 2;  // flags of an input

/// A writer of numbers, and of the hash of all bytes before it at the end.
class NumbersFile {
 public:
  static Result<NumbersFile> Create(const std::string& path, std::string_view magic) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, Codec::kNone));
    return NumbersFile(std::move(stream), magic);
  }

  Status Add(uint64_t number) {
    AppendVarint(number, &bytes_);
    return bytes_.size() < kFlushBytes ? Status() : Flush();
  }

  Status AddBytes(std::string_view bytes) {
    LOOKALIKE_RETURN_IF_ERROR(Add(bytes.size()));
    bytes_ += bytes;
    return {};
  }

  Status Close() {
    LOOKALIKE_RETURN_IF_ERROR(Flush());
    uint64_t hash = XXH3_64bits_digest(&state_);
    for (size_t i = 0; i < kHashBytes; ++i, hash >>= 8) bytes_ += static_cast<char>(hash);
    LOOKALIKE_RETURN_IF_ERROR(stream_->Write(bytes_));
    return stream_->Close();
  }

 private:
  NumbersFile(std::unique_ptr<OutputStream> stream, std::string_view magic)
      : stream_(std::move(stream)), bytes_(magic) {
    XXH3_64bits_reset(&state_);
  }

  Status Flush() {
    XXH3_64bits_update(&state_, bytes_.data(), bytes_.size());
    LOOKALIKE_RETURN_IF_ERROR(stream_->Write(bytes_));
    bytes_.clear();
    return {};
  }

  std::unique_ptr<OutputStream> stream_;
  std::string bytes_;
  XXH3_state_t state_;
};

/// Returns the counts of a run that stay what they are at another threshold.
std::vector<uint64_t*> CountsOf(SearchResult* search) {
  RecordCounts& records = search->units.records;
  BucketCounts& buckets = search->buckets;
  MergeCounts& merge = search->merge;
  return {&records.in,
          &records.rejected,
          &records.null_text,
          &records.repaired_text,
          &records.repeated_ids,
          &records.skipped_inputs,
          &records.too_short,
          &records.too_short_reference,
          &records.left_out_inputs,
          &records.reference,
          &records.rejected_reference,
          &buckets.buckets,
          &buckets.refined,
          &buckets.keys_added,
          &buckets.pairs_met,
          &buckets.pairs_left_out,
          &buckets.pairs_passed,
          &merge.documents,
          &merge.records,
          &merge.shingles,
          &merge.left_out,
          &merge.left_out_records,
          &merge.id_pairs,
          &merge.distinct_pairs,
          &merge.candidates,
          &merge.hidden_documents,
          &merge.unsampled_documents,
          &search->classes.copy_count};
}

Status WriteInputFacts(const DocumentUnits& units, NumbersFile* file) {
  const KnownInputs& known = units.inputs;
  LOOKALIKE_RETURN_IF_ERROR(file->Add(known.skipped.size()));
  for (size_t i = 0; i < known.skipped.size(); ++i) {
    const bool every_row = i < known.every_row.size() && known.every_row[i];
    LOOKALIKE_RETURN_IF_ERROR(file->Add(known.first_of_source[i + 1] - known.first_of_source[i]));
    LOOKALIKE_RETURN_IF_ERROR(
        file->Add((known.skipped[i] ? kSkipped : 0) | (every_row ? kEveryRow : 0)));
    LOOKALIKE_RETURN_IF_ERROR(file->Add(units.rejected[i]));
    if (!known.skipped[i]) continue;
    const auto reason = units.skip_reasons.find(static_cast<uint32_t>(i));
    LOOKALIKE_RETURN_IF_ERROR(
        file->AddBytes(reason == units.skip_reasons.end() ? "" : reason->second));
  }
  return {};
}

Status WriteLaneFacts(const std::vector<UnitLane>& lanes, NumbersFile* file) {
  LOOKALIKE_RETURN_IF_ERROR(file->Add(lanes.size()));
  for (const UnitLane& each : lanes) {
    const Lane& lane = each.lane;
    // An open end is the largest number, which the 1 turns into 0.
    for (const uint64_t number :
         {uint64_t{lane.first}, uint64_t{lane.end - lane.first}, lane.from, lane.until + 1,
          each.rows_before, each.first_doc, each.end_doc - each.first_doc}) {
      LOOKALIKE_RETURN_IF_ERROR(file->Add(number));
    }
  }
  return {};
}

Status WriteRanks(const Ranking& ranking, NumbersFile* file) {
  LOOKALIKE_RETURN_IF_ERROR(file->Add(ranking.order.size()));
  DocNumber last = 0;
  const std::vector<KeepLevel>& levels = ranking.levels.of_neighbours();
  for (Rank rank = 0; rank < ranking.order.size(); ++rank) {
    const DocNumber doc = ranking.order[rank];
    LOOKALIKE_RETURN_IF_ERROR(file->Add(FromSigned(static_cast<int64_t>(doc - last))));
    LOOKALIKE_RETURN_IF_ERROR(file->Add(static_cast<uint64_t>(levels[rank])));
    last = doc;
  }
  return {};
}

/// Writes what identifies the second member of a record whose first member is `first`: the
/// distance of that from the one before it, with a flag, and then the other member. The distance
/// is more by 1, because 0 ends a list.
Status WriteStep(uint64_t step, bool flag, NumbersFile* file) {
  return file->Add((step + 1) << 1 | (flag ? 1 : 0));
}

Status WriteCopies(const DocumentClasses& classes, NumbersFile* file) {
  CopyReader copies(classes);
  ExactCopy last = {};
  while (const ExactCopy* copy = copies.Next()) {
    LOOKALIKE_RETURN_IF_ERROR(WriteStep(copy->rep - last.rep, copy->same_text != 0, file));
    const Rank from = copy->rep == last.rep ? last.copy : copy->rep;
    LOOKALIKE_RETURN_IF_ERROR(file->Add(FromSigned(static_cast<int64_t>(copy->copy - from))));
    last = *copy;
  }
  LOOKALIKE_RETURN_IF_ERROR(copies.status());
  return file->Add(0);
}

/// Writes the words of documents by rank: the distance to the rank before, more by 1, then words.
Status WriteWords(const Bitmap& ranks, const SearchResult& search, NumbersFile* file) {
  Status status;
  Rank last = 0;
  ranks.ForEach([&](Rank rank) {
    if (status) status = file->Add(rank - last + 1);
    last = rank;
    for (const uint64_t word : search.units.guards.WordsOf(search.ranking.DocOf(rank))) {
      if (status) status = file->Add(word);
    }
  });
  LOOKALIKE_RETURN_IF_ERROR(status);
  return file->Add(0);
}

/// Writes the pairs. `in_pairs`: receives the ranks that occur, in a file of guards; else null.
Status WritePairs(const ForEachScored& pairs, Bitmap* in_pairs, NumbersFile* file) {
  CandidatePair last = {};
  const auto write = [&](const ScoredPair& scored) -> Status {
    const Edge& edge = scored.edge;
    const Rank step = edge.d - last.d;
    if (in_pairs == nullptr) {
      LOOKALIKE_RETURN_IF_ERROR(WriteStep(step, scored.compared, file));
    } else {
      const uint64_t state = scored.guarded ? 2 : scored.compared ? 1 : 0;
      LOOKALIKE_RETURN_IF_ERROR(file->Add((step + 1) * kStates + state));
      in_pairs->Set(edge.a);
      in_pairs->Set(edge.d);
    }
    LOOKALIKE_RETURN_IF_ERROR(file->Add(edge.d == last.d ? edge.a - last.a : edge.d - edge.a));
    last = {edge.a, edge.d};
    if (!scored.compared) return {};
    for (const uint32_t count : {edge.common, edge.size_a, edge.size_d}) {
      LOOKALIKE_RETURN_IF_ERROR(file->Add(count));
    }
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(pairs(write));
  return file->Add(0);
}

Status GiveEdges(const SearchResult& search, const TakeScored& take) {
  VerifiedReader edges(search.edges, search.units.guards);
  bool guarded = false;
  while (const Edge* edge = edges.Next(&guarded)) {
    LOOKALIKE_RETURN_IF_ERROR(take({*edge, true, guarded}));
  }
  return edges.status();
}

/// Gives the edges that removed a document, and the candidates that did not matter because one of
/// their documents was removed by a pair before them.
Status GiveDeciding(const SearchResult& search, const TakeScored& take) {
  GreedyKeep keep(search.units.documents);
  PairReader pairs(search.candidates);
  const PairGuards& guards = search.units.guards;
  const Ranking& ranking = search.ranking;
  VerifiedReader edges(search.edges, guards);
  bool guarded = false;
  const Edge* edge = edges.Next(&guarded);
  while (const CandidatePair* pair = pairs.Next()) {
    const CandidatePair here = *pair;
    while (edge != nullptr && CandidatePair{edge->a, edge->d} < here) edge = edges.Next(&guarded);
    const bool is_verified = edge != nullptr && edge->a == here.a && edge->d == here.d;
    if (!keep.IsOpen(here.a, here.d)) {
      if (!guards.Allows(ranking.DocOf(here.a), ranking.DocOf(here.d))) continue;
      LOOKALIKE_RETURN_IF_ERROR(take({{here.a, here.d, 0, 0, 0}, false}));
    } else if (is_verified) {
      if (!guarded) (void)keep.Take(*edge);
      LOOKALIKE_RETURN_IF_ERROR(take({*edge, true, guarded}));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  return pairs.status();
}

}  // namespace

bool HasScores(const Job& job) {
  return !job.only_suggests && !job.estimates() && job.people.decisions.empty();
}

ForEachScored ScoresOf(const Job& job, const SearchResult& search) {
  const bool all = search.candidates.empty() || !job.OnlyDecides();
  return [all, &search](const TakeScored& take) {
    return all ? GiveEdges(search, take) : GiveDeciding(search, take);
  };
}

Status WriteScores(const Job& job, const SearchResult& search, const ForEachScored& pairs,
                   const std::string& path) {
  const bool guarded = search.units.guards.any();
  const std::string_view magic = guarded                        ? kGuardedMagic
                                 : search.ranking.order.empty() ? kMagic
                                                                : kRankedMagic;
  LOOKALIKE_ASSIGN_OR_RETURN(NumbersFile file, NumbersFile::Create(path, magic));
  SearchResult counts;
  counts.units.records = search.units.records;
  counts.buckets = search.buckets;
  counts.merge = search.merge;
  counts.classes.copy_count = search.classes.copy_count;
  for (const uint64_t* count : CountsOf(&counts)) LOOKALIKE_RETURN_IF_ERROR(file.Add(*count));
  LOOKALIKE_RETURN_IF_ERROR(file.Add(search.units.documents));
  LOOKALIKE_RETURN_IF_ERROR(WriteInputFacts(search.units, &file));
  const bool has_lanes = job.options.output_shard != 0;
  LOOKALIKE_RETURN_IF_ERROR(
      WriteLaneFacts(has_lanes ? search.units.lanes : std::vector<UnitLane>(), &file));
  LOOKALIKE_RETURN_IF_ERROR(WriteRanks(search.ranking, &file));
  LOOKALIKE_RETURN_IF_ERROR(WriteCopies(search.classes, &file));
  Bitmap in_pairs(guarded ? search.units.documents : 0);
  LOOKALIKE_RETURN_IF_ERROR(WritePairs(pairs, guarded ? &in_pairs : nullptr, &file));
  if (guarded) LOOKALIKE_RETURN_IF_ERROR(WriteWords(in_pairs, search, &file));
  return file.Close();
}

Result<ScoresReader> ScoresReader::Open(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  if (facts.kind != FileKind::kFile || facts.size < kMagic.size() + kHashBytes) {
    return CorruptError("is not a file of scores; run `lookalike dedup` again", path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()),
                               file.bytes().size());
  const std::string_view hashed = bytes.substr(0, bytes.size() - kHashBytes);
  uint64_t hash = 0;
  for (size_t i = kHashBytes; i > 0; --i) {
    hash = hash << 8 | static_cast<unsigned char>(bytes[hashed.size() + i - 1]);
  }
  const bool guarded = hashed.starts_with(kGuardedMagic);
  const bool ranked = guarded || hashed.starts_with(kRankedMagic);
  if (!ranked && !hashed.starts_with(kMagic)) {
    return CorruptError(
        "is not a file of scores, or was written by another version; run `lookalike dedup` again",
        path);
  }
  if (XXH3_64bits(hashed.data(), hashed.size()) != hash) {
    return CorruptError("is damaged; run `lookalike dedup` again", path);
  }
  ScoresReader reader(path, std::move(file), hashed.substr(kMagic.size()));
  reader.guarded_ = guarded;
  LOOKALIKE_RETURN_IF_ERROR(reader.ReadFacts(ranked));
  return reader;
}

Status ScoresReader::ReadFacts(bool has_levels) {
  for (uint64_t* count : CountsOf(&facts_)) *count = numbers_.Next();
  DocumentUnits& units = facts_.units;
  KnownInputs& known = units.inputs;
  units.documents = numbers_.Next();
  known.first_of_source = {0};
  for (uint64_t i = 0, inputs = numbers_.Next(); i < inputs && !numbers_.failed(); ++i) {
    known.first_of_source.push_back(known.first_of_source.back() + numbers_.Next());
    const uint64_t flags = numbers_.Next();
    known.skipped.push_back((flags & kSkipped) != 0);
    known.every_row.push_back((flags & kEveryRow) != 0);
    units.rejected.push_back(numbers_.Next());
    if ((flags & kSkipped) == 0) continue;
    units.skip_reasons[static_cast<uint32_t>(i)] = numbers_.Bytes(numbers_.Next());
  }
  for (uint64_t i = 0, lanes = numbers_.Next(); i < lanes && !numbers_.failed(); ++i) {
    UnitLane& each = units.lanes.emplace_back();
    each.lane.first = static_cast<uint32_t>(numbers_.Next());
    each.lane.end = each.lane.first + static_cast<uint32_t>(numbers_.Next());
    each.lane.from = numbers_.Next();
    each.lane.until = numbers_.Next() - 1;
    each.rows_before = numbers_.Next();
    each.first_doc = numbers_.Next();
    each.end_doc = each.first_doc + numbers_.Next();
  }
  const uint64_t ranked = numbers_.Next();
  if (ranked > numbers_.left()) return CorruptError("ended too early", path_);
  if (ranked != 0 && !has_levels) {
    return CorruptError(
        "was written by an older version, which did not note what decides between documents; run "
        "`lookalike dedup` again",
        path_);
  }
  std::vector<KeepLevel> levels;
  levels.reserve(ranked);
  Ranking& ranking = facts_.ranking;
  ranking.order.reserve(ranked);
  ranking.ranks.assign(ranked, 0);
  DocNumber doc = 0;
  for (Rank rank = 0; rank < ranked && !numbers_.failed(); ++rank) {
    doc += static_cast<DocNumber>(ToSigned(numbers_.Next()));
    const uint64_t level = numbers_.Next();
    if (doc >= ranked) return CorruptError("has a document that does not exist", path_);
    if (level > static_cast<uint64_t>(KeepLevel::kInputOrder)) {
      return CorruptError("has a criterion that does not exist", path_);
    }
    levels.push_back(static_cast<KeepLevel>(level));
    ranking.order.push_back(doc);
    ranking.ranks[doc] = rank;
  }
  ranking.levels = KeepLevels(std::move(levels));
  return status();
}

bool ScoresReader::Next(ExactCopy* copy) {
  const uint64_t step = numbers_.Next();
  if (step == 0) return false;
  const uint64_t distance = (step >> 1) - 1;
  copy_.copy = distance == 0 ? copy_.copy : copy_.rep + distance;
  copy_.rep += distance;
  copy_.copy += static_cast<Rank>(ToSigned(numbers_.Next()));
  copy_.same_text = step & 1;
  *copy = copy_;
  return !numbers_.failed();
}

bool ScoresReader::Next(ScoredPair* pair) {
  const uint64_t step = numbers_.Next();
  if (step == 0) return false;
  const uint64_t states = guarded_ ? kStates : 2;
  const uint64_t distance = step / states - 1;
  const uint64_t other = numbers_.Next();
  pair_.d += distance;
  pair_.a = distance == 0 ? pair_.a + other : pair_.d - other;
  *pair = {.edge = {pair_.a, pair_.d, 0, 0, 0},
           .compared = step % states != 0,
           .guarded = step % states == 2};
  if (pair->compared) {
    pair->edge.common = static_cast<uint32_t>(numbers_.Next());
    pair->edge.size_a = static_cast<uint32_t>(numbers_.Next());
    pair->edge.size_d = static_cast<uint32_t>(numbers_.Next());
  }
  return !numbers_.failed();
}

Status ScoresReader::CheckGuards(const PairGuards& guards) const {
  if (guards.any() == guarded_) return {};
  return CorruptError(
      "was written by an older version, which did not note what guards keep apart; run "
      "`lookalike dedup` again",
      path_);
}

Status ScoresReader::TakeWords(uint64_t documents, const Ranking& ranking, PairGuards* guards) {
  if (!guarded_) return {};
  guards->Resize(documents);
  Rank rank = 0;
  for (uint64_t step = numbers_.Next(); step != 0 && !numbers_.failed(); step = numbers_.Next()) {
    rank += step - 1;
    if (rank >= documents) return CorruptError("has a document that does not exist", path_);
    for (size_t place = 0; place < guards->width(); ++place) {
      guards->Set(ranking.DocOf(rank), place, numbers_.Next());
    }
  }
  return status();
}

Status ScoresReader::status() const {
  if (!numbers_.failed()) return {};
  return CorruptError("ended too early; run `lookalike dedup` again", path_);
}

}  // namespace lookalike
