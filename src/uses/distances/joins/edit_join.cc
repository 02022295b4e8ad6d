#include "uses/distances/joins/edit_join.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "kernels/splitmix.h"
#include "threads/parallel.h"
#include "uses/distances/joins/pair_batches.h"

namespace lookalike {
namespace {

/// A piece of a string of some length. Sorted by key, then string.
struct Piece {
  uint64_t key;
  uint32_t string;
  bool operator<(const Piece& other) const {
    return key != other.key ? key < other.key : string < other.string;
  }
};

/// The begin and end of a piece in strings of one length.
struct Cut {
  size_t begin, end;
};

/// Returns the cut of a piece. The pieces are as equal in length as possible, the longer ones last.
Cut CutOf(size_t length, uint32_t pieces, uint32_t piece) {
  const size_t least = length / pieces, longer = length % pieces, first_longer = pieces - longer;
  const size_t begin = piece * least + (piece > first_longer ? piece - first_longer : 0);
  return {begin, begin + least + (piece >= first_longer ? 1 : 0)};
}

uint64_t KeyOf(std::u32string_view piece, size_t length, uint32_t number) {
  uint64_t hash = Mix64(length * kGolden ^ number);
  for (const char32_t c : piece) hash = Mix64((hash ^ c) + kGolden);
  return hash;
}

/// A search for the partners of each string among shorter strings and earlier strings of equal
/// length.
class StringJoin {
 public:
  StringJoin(const StringSet& strings, uint32_t within, DistanceKind kind, const JoinTask& task)
      : strings_(strings), within_(within), kind_(kind), task_(task) {
    for (uint32_t i = 0; i < strings.size(); ++i) {
      const std::u32string_view text = strings.Of(i);
      if (text.size() <= within) {
        short_.push_back(i);
        continue;
      }
      for (uint32_t piece = 0; piece <= within; ++piece) {
        const Cut cut = CutOf(text.size(), within + 1, piece);
        pieces_.push_back(
            {KeyOf(text.substr(cut.begin, cut.end - cut.begin), text.size(), piece), i});
      }
    }
    ParallelSort(pieces_.begin(), pieces_.end());
  }

  void FindPartners(uint32_t string, std::vector<uint32_t>* scratch,
                    std::vector<PointPair>* found) const {
    const std::u32string_view text = strings_.Of(string);
    std::vector<uint32_t>& candidates = *scratch;
    candidates.clear();
    for (const uint32_t other : short_) {
      if (IsBefore(other, string)) candidates.push_back(other);
    }
    const size_t least = text.size() > within_ ? text.size() - within_ : 0;
    for (size_t length = std::max<size_t>(least, within_ + 1); length <= text.size(); ++length) {
      for (uint32_t piece = 0; piece <= within_; ++piece) {
        AddByPiece(string, length, piece, &candidates);
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    for (const uint32_t other : candidates) Test(string, other, found);
  }

 private:
  /// True if a pair is found from the second of its strings.
  [[nodiscard]] bool IsBefore(uint32_t other, uint32_t string) const {
    const size_t x = strings_.Of(other).size(), y = strings_.Of(string).size();
    return x != y ? x < y : other < string;
  }

  /// Adds the candidates that share a piece. There are i pieces before it and w - i after it. If
  /// every earlier piece is changed, each of them takes an edit, and so does each later piece; this
  /// limits how far the shared piece can be shifted.
  void AddByPiece(uint32_t string, size_t length, uint32_t piece,
                  std::vector<uint32_t>* candidates) const {
    const std::u32string_view text = strings_.Of(string);
    const Cut cut = CutOf(length, within_ + 1, piece);
    const auto begin = static_cast<int64_t>(cut.begin);
    const auto longer = static_cast<int64_t>(text.size() - length);
    const int64_t before = piece, behind = within_ - piece;
    const auto size = cut.end - cut.begin;
    const int64_t last = std::min(
        {begin + before, begin + longer + behind, static_cast<int64_t>(text.size() - size)});
    for (int64_t at = std::max({begin - before, begin + longer - behind, int64_t{0}}); at <= last;
         ++at) {
      const uint64_t key = KeyOf(text.substr(static_cast<size_t>(at), size), length, piece);
      auto entry = std::lower_bound(pieces_.begin(), pieces_.end(), Piece{key, 0});
      for (; entry != pieces_.end() && entry->key == key; ++entry) {
        if (IsBefore(entry->string, string)) candidates->push_back(entry->string);
      }
    }
  }

  void Test(uint32_t x, uint32_t y, std::vector<PointPair>* found) const {
    const uint32_t a = std::min(x, y), b = std::max(x, y);
    if (!task_.Counts(a, b)) return;
    const auto distance = EditDistance(strings_.Of(a), strings_.Of(b), within_, kind_);
    if (distance) found->push_back({a, b, static_cast<double>(*distance)});
  }

  const StringSet& strings_;
  uint32_t within_;
  DistanceKind kind_;
  const JoinTask& task_;
  std::vector<uint32_t> short_;  ///< Strings too short to have a character in each piece.
  std::vector<Piece> pieces_;
};

}  // namespace

std::optional<uint32_t> EditDistance(std::u32string_view a, std::u32string_view b, uint32_t within,
                                     DistanceKind kind, const std::function<bool()>& cancelled) {
  constexpr int64_t kCellsBetween = int64_t{1} << 24;  // some tens of milliseconds
  const uint32_t replaced = kind == DistanceKind::kEdit ? 1 : 2;
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > within) return {};
  const auto rows = static_cast<int64_t>(a.size()), columns = static_cast<int64_t>(b.size());
  const int64_t band = within;
  const uint32_t beyond = within + 1;
  std::vector<uint32_t> above(b.size() + 2, beyond), row(b.size() + 2, beyond);
  for (int64_t j = 0; j <= std::min(band, columns); ++j) above[j] = static_cast<uint32_t>(j);
  int64_t cells = 0;  // since the last check
  for (int64_t i = 1; i <= rows; ++i) {
    const int64_t first = std::max<int64_t>(0, i - band), last = std::min(columns, i + band);
    if (cells += last - first + 1; cells > kCellsBetween && cancelled) {
      if (cancelled()) return {};
      cells = 0;
    }
    uint32_t least = beyond;
    for (int64_t j = first; j <= last; ++j) {
      uint32_t best =
          j == 0 ? static_cast<uint32_t>(i) : above[j - 1] + (a[i - 1] != b[j - 1] ? replaced : 0);
      if (j < i + band) best = std::min(best, above[j] + 1);
      if (j > first) best = std::min(best, row[j - 1] + 1);
      row[j] = best;
      least = std::min(least, best);
    }
    if (least > within) return {};
    std::swap(above, row);
  }
  if (above[columns] > within) return {};
  return above[columns];
}

Status JoinStrings(const StringSet& strings, uint32_t within, DistanceKind kind,
                   const JoinTask& task,
                   const std::function<Status(std::span<const PointPair>)>& take) {
  constexpr size_t kStrings = 256;  // strings per task
  const StringJoin join(strings, within, kind, task);
  const size_t tasks = (strings.size() + kStrings - 1) / kStrings;
  return TakeInBatches(tasks, task.cancelled, take, [&](size_t at, std::vector<PointPair>* found) {
    std::vector<uint32_t> scratch;
    const size_t end = std::min(strings.size(), (at + 1) * kStrings);
    for (size_t i = at * kStrings; i < end; ++i) {
      join.FindPartners(static_cast<uint32_t>(i), &scratch, found);
    }
  });
}

}  // namespace lookalike
