#include "search/verify_pass.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "records/bitmap.h"
#include "run/in_order.h"
#include "search/candidates_pass.h"
#include "search/pair_judge.h"
#include "spill/record_reader.h"
#include "stages/cluster/keep.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr uint64_t kBlockPairs = uint64_t{1} << 16;

/// The edges among some pairs, and the pairs that would be edges but for their guards.
struct CheckedPairs {
  std::vector<Edge> edges, guarded;

  void Clear() {
    edges.clear();
    guarded.clear();
  }
};

/// Tells which pairs guards exclude.
struct GuardTest {
  const PairGuards& guards;
  const Ranking& ranking;

  /// True if no field forbids the pair.
  [[nodiscard]] bool Allows(const CandidatePair& pair) const {
    return !guards.any() || guards.Allows(ranking.DocOf(pair.a), ranking.DocOf(pair.d));
  }
  [[nodiscard]] bool Guards(const Edge& edge) const {
    return guards.guards() && guards.Guards(ranking.DocOf(edge.a), ranking.DocOf(edge.d));
  }
};

std::string UnitName(uint64_t unit) { return "verify/" + std::to_string(unit); }

/// Returns the documents that occur in the pairs, ascending.
std::vector<DocNumber> DocumentsOf(std::span<const CandidatePair> pairs, const Ranking& ranking) {
  std::vector<DocNumber> docs;
  docs.reserve(2 * pairs.size());
  for (const CandidatePair& pair : pairs) {
    docs.push_back(ranking.DocOf(pair.a));
    docs.push_back(ranking.DocOf(pair.d));
  }
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
  return docs;
}

/// A verifier of pairs, in blocks whose sets fit in memory together. For one thread at a time.
class BlockVerifier {
 public:
  /// `room`: bytes for the sets of a block. A pair whose sets are larger takes its turn by `large`.
  BlockVerifier(const PairJudge& judge, const Ranking& ranking, uint64_t room, std::mutex* large)
      : judge_(judge), ranking_(ranking), room_(room), large_(*large) {}

  /// Appends the edges among `pairs`, in their order.
  Status FindEdges(std::span<const CandidatePair> pairs, const StoredSets& sets,
                   std::vector<Edge>* edges) {
    docs_ = DocumentsOf(pairs, ranking_);
    LOOKALIKE_RETURN_IF_ERROR(sets.Sizes(docs_, &sizes_));
    block_of_.assign(docs_.size(), 0);
    for (uint32_t number = 1; !pairs.empty(); ++number) {
      const Block block = NextBlock(pairs, number);
      std::unique_lock<std::mutex> turn;
      if (block.bytes > room_) {
        turn = std::unique_lock(large_);
        gathered_ = {};
      }
      const auto fitting = pairs.first(block.pairs);
      LOOKALIKE_RETURN_IF_ERROR(sets.Gather(DocumentsOf(fitting, ranking_), &gathered_));
      const auto found = judge_.FindEdges(fitting, gathered_, ranking_.order);
      edges->insert(edges->end(), found.begin(), found.end());
      if (turn) gathered_ = {};
      pairs = pairs.subspan(fitting.size());
    }
    return {};
  }

 private:
  struct Block {
    size_t pairs;
    uint64_t bytes;  ///< The size of their sets.
  };

  /// Returns the longest block, from the first pair on, whose sets fit in memory together; at least
  /// one pair.
  Block NextBlock(std::span<const CandidatePair> pairs, uint32_t number) {
    Block block = {0, 0};
    for (const CandidatePair& pair : pairs) {
      const uint64_t more = Enter(pair.a, number) + Enter(pair.d, number);
      if (block.bytes + more > std::min(room_, kMostBlock) && block.pairs > 0) break;
      block.bytes += more;
      ++block.pairs;
    }
    return block;
  }

  /// Returns how many bytes a document adds to a block.
  uint64_t Enter(Rank rank, uint32_t block) {
    const auto at = std::lower_bound(docs_.begin(), docs_.end(), ranking_.DocOf(rank));
    const auto i = static_cast<size_t>(at - docs_.begin());
    if (std::exchange(block_of_[i], block) == block) return 0;
    return sizes_[i] * sizeof(uint64_t);
  }

  /// Sets of a block are copies, which need not all exist at once, however much memory there is.
  static constexpr uint64_t kMostBlock = uint64_t{16} << 20;

  const PairJudge& judge_;
  const Ranking& ranking_;
  uint64_t room_;
  std::mutex& large_;
  std::vector<DocNumber> docs_;     // of the current pairs
  std::vector<uint64_t> sizes_;     // features in the set of each
  std::vector<uint32_t> block_of_;  // the last block that each was in
  DocumentSets gathered_;           // of a block; its memory is reused
};

/// A verifier of pairs that fetches and compares the sets of several parts of them side by side.
class Verifier {
 public:
  Verifier(const PairJudge& judge, const Ranking& ranking, const MemoryPlan& memory)
      : judge_(judge),
        ranking_(ranking),
        threads_(memory.threads),
        room_(memory.work / 2 / memory.threads) {}

  /// Appends the edges among `pairs`, in their order.
  Status FindEdges(std::span<const CandidatePair> pairs, const StoredSets& sets,
                   std::vector<Edge>* edges) {
    const size_t part = PartSize(pairs.size());
    Status status;
    const auto read = [&]() -> std::optional<std::span<const CandidatePair>> {
      if (pairs.empty()) return std::nullopt;
      const auto next = pairs.first(std::min(part, pairs.size()));
      pairs = pairs.subspan(next.size());
      return next;
    };
    const auto find = [&](std::span<const CandidatePair> some) -> Result<std::vector<Edge>> {
      std::vector<Edge> found;
      Status done;
      std::unique_ptr<BlockVerifier> own = TakeIdle();
      // Isolated, because a thread that waits inside a part must not begin another one.
      RunIsolated([&] { done = own->FindEdges(some, sets, &found); });
      GiveBack(std::move(own));
      LOOKALIKE_RETURN_IF_ERROR(done);
      return found;
    };
    const auto take = [&](const std::vector<Edge>& found) -> Status {
      edges->insert(edges->end(), found.begin(), found.end());
      return {};
    };
    // Isolated, because a thread that waits for the parts must not begin to read a lane.
    RunIsolated([&] { status = RunInOrder(threads_, read, find, take); });
    return status;
  }

 private:
  static constexpr size_t kLeastPart = 64;
  static constexpr size_t kPartsOfThread = 16;  // so that no thread waits long for the slowest one

  /// Returns the pairs of a part. Parts are large, because the pairs of one often share documents,
  /// whose sets are fetched once for a part.
  [[nodiscard]] size_t PartSize(size_t pairs) const {
    if (threads_ == 1) return pairs;
    return std::max(kLeastPart, pairs / (kPartsOfThread * threads_) + 1);
  }

  /// Returns a verifier with the memory of an earlier part, if there is one.
  std::unique_ptr<BlockVerifier> TakeIdle() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<BlockVerifier>(judge_, ranking_, room_, &large_);
    auto verifier = std::move(idle_.back());
    idle_.pop_back();
    return verifier;
  }

  void GiveBack(std::unique_ptr<BlockVerifier> verifier) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(verifier));
  }

  const PairJudge& judge_;
  const Ranking& ranking_;
  size_t threads_;
  uint64_t room_;     // for one part; a pair that needs more comes on top
  std::mutex large_;  // held while a pair is in memory that needs more
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockVerifier>> idle_;
};

/// GreedyKeep over the edges that are found and others that are known already.
class KeepAmongKnown {
 public:
  KeepAmongKnown(uint64_t documents, const std::vector<RunPointer>& known)
      : keep_(documents),
        known_(std::make_unique<RecordReader<Edge>>(known, 0)),
        next_(known_->Next()) {}

  [[nodiscard]] bool IsOpen(Rank a, Rank d) const { return keep_.IsOpen(a, d); }
  [[nodiscard]] bool IsKept(Rank rank) const { return keep_.IsKept(rank); }
  std::optional<Removal> Take(const Edge& edge) { return keep_.Take(edge); }

  /// Takes the known edges that come before a pair.
  void PassTo(const CandidatePair& pair) {
    for (; next_ != nullptr && CandidatePair{next_->a, next_->d} < pair; next_ = known_->Next()) {
      (void)keep_.Take(*next_);
    }
  }

  [[nodiscard]] const Status& status() const { return known_->status(); }

 private:
  GreedyKeep keep_;
  std::unique_ptr<RecordReader<Edge>> known_;
  const Edge* next_;
};

/// A decider that skips pairs that cannot change the kept set, because one of their documents is
/// already removed. Among a million near-copies nearly all candidates are such pairs. `Keep` is
/// KeepAmongKnown, or PartialKeep for a range of the pairs.
template <class Keep>
class Decider {
 public:
  Decider(Keep keep, const GuardTest& guards, Verifier* verifier)
      : keep_(std::move(keep)), guards_(guards), verifier_(*verifier) {}

  /// Appends the edges among `pairs` that remove a document, and guarded pairs of documents that no
  /// edge so far has removed, in their order.
  Status FindEdges(std::span<const CandidatePair> pairs, const StoredSets& sets,
                   CheckedPairs* checked) {
    while (!pairs.empty()) {
      open_.clear();
      size_t read = 0;
      for (; read < pairs.size() && open_.size() < ahead_; ++read) {
        if (!keep_.IsOpen(pairs[read].a, pairs[read].d)) continue;
        if (guards_.Allows(pairs[read])) open_.push_back(pairs[read]);
      }
      found_.clear();
      LOOKALIKE_RETURN_IF_ERROR(verifier_.FindEdges(open_, sets, &found_));
      LookAhead(TakeFound(checked));
      pairs = pairs.subspan(read);
    }
    if constexpr (requires { keep_.status(); }) return keep_.status();
    return {};
  }

  /// Adopts the edges that an earlier attempt found.
  Status TakeOver(const RunPointer& run) {
    RecordReader<Edge> edges({run}, 0);
    while (const Edge* edge = edges.Next()) (void)keep_.Take(*edge);
    return edges.status();
  }

  [[nodiscard]] bool IsKept(Rank rank) const { return keep_.IsKept(rank); }

 private:
  static constexpr size_t kLeastAhead = 1 << 10, kMostAhead = 1 << 16;

  /// Appends those of the found edges that remove a document. Returns how many of the open pairs
  /// were checked in vain, because an edge before them had removed one of their documents.
  size_t TakeFound(CheckedPairs* checked) {
    size_t in_vain = 0;
    auto edge = found_.begin();
    for (const CandidatePair& pair : open_) {
      if constexpr (requires { keep_.PassTo(pair); }) keep_.PassTo(pair);
      if (!keep_.IsOpen(pair.a, pair.d)) ++in_vain;
      if (edge == found_.end() || edge->a != pair.a || edge->d != pair.d) continue;
      if (guards_.Guards(*edge)) {
        if (keep_.IsOpen(pair.a, pair.d)) checked->guarded.push_back(*edge);
      } else if (keep_.Take(*edge)) {
        checked->edges.push_back(*edge);
      }
      ++edge;
    }
    return in_vain;
  }

  /// Chooses how many pairs to check next: more side by side, as long as few are checked in vain.
  void LookAhead(size_t in_vain) {
    constexpr size_t kMostInVain = 8;  // of so many pairs, one may be
    ahead_ = in_vain * kMostInVain > open_.size() ? std::max(kLeastAhead, ahead_ / 2)
                                                  : std::min(kMostAhead, ahead_ * 2);
  }

  Keep keep_;
  GuardTest guards_;
  Verifier& verifier_;
  size_t ahead_ = kLeastAhead;  ///< Pairs that are checked side by side.
  std::vector<CandidatePair> open_;
  std::vector<Edge> found_;
};

/// The pairs of a search in order, for a reader that may stop before any of them.
class PairQueue {
 public:
  explicit PairQueue(PairReader reader) : reader_(std::move(reader)), next_(reader_.Next()) {}
  PairQueue(const PairQueue&) = delete;
  PairQueue& operator=(const PairQueue&) = delete;

  /// True if there is a pair whose later document has a rank below `end`.
  [[nodiscard]] bool HasBelow(Rank end) const { return next_ != nullptr && next_->d < end; }

  /// Replaces `some` with the next pairs below `end`, at most `most`.
  Status Take(uint64_t most, Rank end, std::vector<CandidatePair>* some) {
    some->clear();
    for (; some->size() < most && HasBelow(end); next_ = reader_.Next()) some->push_back(*next_);
    return reader_.status();
  }

  [[nodiscard]] const Status& status() const { return reader_.status(); }

 private:
  PairReader reader_;
  const CandidatePair* next_;
};

/// Returns the documents that are the later one of a pair.
Result<Bitmap> LaterDocuments(uint64_t documents, const PairRuns& pairs) {
  Bitmap later(documents);
  RecordReader<CandidatePair> reader(pairs, 0);
  while (const CandidatePair* pair = reader.Next()) later.Set(pair->d);
  LOOKALIKE_RETURN_IF_ERROR(reader.status());
  return later;
}

/// Returns the documents that occur in a pair with a document of a later unit. REQUIRES: ranks are
/// document numbers.
Result<Bitmap> NeededLater(const DocumentUnits& units, const PairRuns& pairs) {
  Bitmap needed(units.documents);
  auto unit = units.units.begin();  // of the pair's later document
  PairReader reader(pairs);
  while (const CandidatePair* pair = reader.Next()) {
    while (pair->d >= unit->first + unit->documents) ++unit;
    if (pair->a < unit->first) needed.Set(pair->a);
  }
  LOOKALIKE_RETURN_IF_ERROR(reader.status());
  return needed;
}

}  // namespace

VerifiedReader::VerifiedReader(const VerifiedEdges& edges, const PairGuards& guards)
    : edges_(edges.runs, kEdgeStream), next_edge_(edges_.Next()) {
  if (!guards.guards()) return;
  guarded_.emplace(edges.runs, kGuardedStream);
  next_guarded_ = guarded_->Next();
}

const Edge* VerifiedReader::Next(bool* guarded) {
  if (next_edge_ == nullptr && next_guarded_ == nullptr) return nullptr;
  *guarded = next_edge_ == nullptr ||
             (next_guarded_ != nullptr && CandidatePair{next_guarded_->a, next_guarded_->d} <
                                              CandidatePair{next_edge_->a, next_edge_->d});
  current_ = *guarded ? *next_guarded_ : *next_edge_;
  if (*guarded) {
    next_guarded_ = guarded_->Next();
  } else {
    next_edge_ = edges_.Next();
  }
  return &current_;
}

Status VerifiedReader::status() const {
  LOOKALIKE_RETURN_IF_ERROR(edges_.status());
  return guarded_ ? guarded_->status() : Status();
}

void TakeOutGuarded(const PairGuards& guards, const Ranking& ranking, std::vector<Edge>* edges,
                    std::vector<Edge>* guarded) {
  if (!guards.any()) return;
  const GuardTest test = {guards, ranking};
  std::erase_if(*edges, [&](const Edge& edge) {
    if (!test.Allows({edge.a, edge.d})) return true;
    const bool excluded = test.Guards(edge);
    if (excluded) guarded->push_back(edge);
    return excluded;
  });
}

class PairVerification::Checker {
 public:
  Checker(const SearchContext& context, PairRuns pairs, const std::vector<RunPointer>& known)
      : units_(context.units),
        ranking_(context.ranking),
        pairs_(std::move(pairs)),
        most_(MostPairs(pairs_)),
        decides_(context.job.OnlyDecides()),
        judge_(JudgeOf(context.job)),
        observer_(context.observer),
        workspace_(*context.workspace),
        unit_pairs_(VerifyUnitPairs(workspace_.lane_bytes())),
        verifier_(*judge_, context.ranking, workspace_.memory()),
        guards_{context.units.guards, context.ranking},
        decider_(KeepAmongKnown(context.units.documents, known), guards_, &verifier_) {}

  [[nodiscard]] bool InReadingOrder() const {
    return !pairs_.empty() && ranking_.order.empty() && !workspace_.in_tasks();
  }
  VerifiedEdges Take() { return std::move(result_); }

  Status CheckUnit(const Unit& unit, StoredSets* sets) {
    if (!InReadingOrder()) return {};
    LOOKALIKE_RETURN_IF_ERROR(CheckBelow(unit.first + unit.documents, *sets));
    if (!decides_) return {};
    if (needed_later_.size() == 0) {
      LOOKALIKE_ASSIGN_OR_RETURN(needed_later_, NeededLater(units_, pairs_));
    }
    const auto needed = [&](DocNumber doc) {
      return needed_later_.Test(doc) && decider_.IsKept(doc);
    };
    return sets->Shrink(unit, needed, &workspace_.store());
  }

  Status CheckRest(const StoredSets& sets) {
    return workspace_.adopts_units() ? CheckRanges(sets) : CheckAll(sets);
  }

  Status CheckAll(const StoredSets& sets) { return CheckBelow(kNoEnd, sets); }

 private:
  static constexpr Rank kNoEnd = ~Rank{0};

  /// Checks the next pairs whose later document has a rank below `end`.
  Status CheckBelow(Rank end, const StoredSets& sets) {
    if (!queue_) queue_.emplace(PairReader(pairs_));
    for (; queue_->HasBelow(end); ++next_unit_) {
      const auto check = [&](std::span<const CandidatePair> pairs) {
        return decides_ ? decider_.FindEdges(pairs, sets, &checked_) : FindAll(pairs, sets);
      };
      LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace_.Finished(UnitName(next_unit_)));
      if (run) {
        LOOKALIKE_RETURN_IF_ERROR(PassOver(end));
        if (decides_) LOOKALIKE_RETURN_IF_ERROR(decider_.TakeOver(run));
      } else {
        LOOKALIKE_ASSIGN_OR_RETURN(run, CheckSome(unit_pairs_, end, &*queue_, check));
      }
      AddEdges(std::move(run));
    }
    return queue_->status();
  }

  /// Reads the pairs of a unit that an earlier attempt finished.
  Status PassOver(Rank end) {
    for (uint64_t left = unit_pairs_; left > 0 && queue_->HasBelow(end); left -= block_.size()) {
      LOOKALIKE_RETURN_IF_ERROR(queue_->Take(std::min(kBlockPairs, left), end, &block_));
      done_ += block_.size();
    }
    return {};
  }

  /// Checks this task's share of the ranges of pairs, or adopts all ranges.
  Status CheckRanges(const StoredSets& sets) {
    const uint64_t units = VerifyUnits(most_, workspace_.lane_bytes());
    if (!workspace_.IsIn(kVerifyStage)) {
      for (uint64_t unit = 0; unit < units; ++unit) {
        LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace_.Finished(UnitName(unit)));
        if (!run) return EndedEarly({}, "the verified pairs");
        AddEdges(std::move(run));
      }
      return decides_ ? CountRemoving() : Status();
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto bounds, VerifyBounds(pairs_, units));
    bounds.push_back(kNoEnd);
    for (const size_t unit : workspace_.ToDo(kVerifyStage, units)) {
      next_unit_ = unit;
      LOOKALIKE_RETURN_IF_ERROR(CheckRange(bounds[unit], bounds[unit + 1], sets));
      LOOKALIKE_RETURN_IF_ERROR(workspace_.Record(kVerifyStage, unit, {UnitName(unit)}));
    }
    return {};
  }

  /// Checks the pairs of the later documents of a range, of which other tasks check the earlier
  /// ones.
  Status CheckRange(Rank first, Rank end, const StoredSets& sets) {
    if (later_.size() == 0) {
      LOOKALIKE_ASSIGN_OR_RETURN(later_, LaterDocuments(units_.documents, pairs_));
    }
    Decider<PartialKeep> partial(PartialKeep(later_, first), guards_, &verifier_);
    const auto check = [&](std::span<const CandidatePair> pairs) {
      return decides_ ? partial.FindEdges(pairs, sets, &checked_) : FindAll(pairs, sets);
    };
    LOOKALIKE_ASSIGN_OR_RETURN(PairReader reader, PairReader::From(pairs_, first));
    PairQueue queue(std::move(reader));
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer run,
                               CheckSome(UINT64_MAX, end, &queue, check));
    return queue.status();
  }

  /// Appends all edges among `pairs` to checked_, and all guarded pairs.
  Status FindAll(std::span<const CandidatePair> pairs, const StoredSets& sets) {
    if (guards_.guards.any()) {
      allowed_.clear();
      std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(allowed_),
                   [&](const CandidatePair& pair) { return guards_.Allows(pair); });
      pairs = allowed_;
    }
    LOOKALIKE_RETURN_IF_ERROR(verifier_.FindEdges(pairs, sets, &checked_.edges));
    TakeOutGuarded(guards_.guards, guards_.ranking, &checked_.edges, &checked_.guarded);
    return {};
  }

  /// Checks the next pairs below `end`, at most `most`, as one unit of work: `check(pairs)` appends
  /// to checked_.
  template <class Check>
  Result<RunPointer> CheckSome(uint64_t most, Rank end, PairQueue* queue, const Check& check) {
    auto writer = workspace_.Begin(UnitName(next_unit_), EdgeStreams(guards_.guards));
    while (most > 0 && queue->HasBelow(end)) {
      if (observer_.cancelled && observer_.cancelled()) return Cancelled();
      LOOKALIKE_RETURN_IF_ERROR(queue->Take(std::min(kBlockPairs, most), end, &block_));
      checked_.Clear();
      LOOKALIKE_RETURN_IF_ERROR(check(block_));
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kEdgeStream, checked_.edges));
      if (guards_.guards.guards()) {
        LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kGuardedStream, checked_.guarded));
      }
      most -= block_.size();
      done_ += block_.size();
      if (observer_.progress && (!judge_->ReadsInputs() || !InReadingOrder())) {
        observer_.progress({"verify", done_, most_, "pairs"});
      }
    }
    return writer->Finish();
  }

  /// Counts the edges that one run would have: a range may have more, of documents that pairs
  /// before it remove.
  Status CountRemoving() {
    GreedyKeep keep(units_.documents);
    RecordReader<Edge> edges(result_.runs, 0);
    result_.edges = 0;
    while (const Edge* edge = edges.Next()) result_.edges += keep.Take(*edge) ? 1 : 0;
    return edges.status();
  }

  void AddEdges(RunPointer run) {
    result_.edges += run->bytes(0) / sizeof(Edge);
    result_.runs.push_back(std::move(run));
  }

  const DocumentUnits& units_;
  const Ranking& ranking_;
  PairRuns pairs_;
  uint64_t most_, done_ = 0;  // pairs; the first is an upper bound
  uint64_t next_unit_ = 0;
  bool decides_;  // only edges that remove a document are wanted
  std::unique_ptr<PairJudge> judge_;
  const Observer& observer_;
  Workspace& workspace_;
  uint64_t unit_pairs_;
  Verifier verifier_;
  GuardTest guards_;
  Decider<KeepAmongKnown> decider_;
  std::optional<PairQueue> queue_;  // of all pairs
  Bitmap later_;                    // for ranges
  Bitmap needed_later_;
  std::vector<CandidatePair> block_;
  std::vector<CandidatePair> allowed_;
  CheckedPairs checked_;
  VerifiedEdges result_;
};

PairVerification::PairVerification(const SearchContext& context, PairRuns pairs,
                                   const std::vector<RunPointer>& known)
    : checker_(std::make_unique<Checker>(context, std::move(pairs), known)) {}

PairVerification::~PairVerification() = default;

bool PairVerification::InReadingOrder() const { return checker_->InReadingOrder(); }

Status PairVerification::CheckUnit(const Unit& unit, StoredSets* sets) {
  return checker_->CheckUnit(unit, sets);
}

Status PairVerification::CheckRest(const StoredSets& sets) { return checker_->CheckRest(sets); }

Status PairVerification::CheckAll(const StoredSets& sets) { return checker_->CheckAll(sets); }

VerifiedEdges PairVerification::Take() { return checker_->Take(); }

}  // namespace lookalike
