#include "search/string_order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "spill/ended_early.h"
#include "spill/sorter.h"

namespace lookalike {
namespace {

constexpr uint64_t kPiece = 16;

/// Memory that a gathered string takes besides its bytes: its entries in the column and here.
constexpr uint64_t kPerString = 96;

/// Bytes compared at a time to find the common beginning of strings: few at first, as most strings
/// soon differ.
constexpr uint64_t kFirstWindow = 64, kWindowGrowth = 4;

std::string_view TextOf(const GatheredValues& values, size_t i) {
  const auto bytes = values.Value(i);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint64_t CommonBytes(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<uint64_t>(ends.first - a.begin());
}

}  // namespace

/// The part of a string used for sorting, in a form that can be compared as integers.
struct StringOrder::Piece {
  std::array<uint64_t, 2> bytes;  ///< Padded with zeros; complemented in descending order.
  uint64_t length;                ///< Distinguishes padding from zeros; also complemented.
  DocNumber doc;
  uint64_t left;  ///< Bytes of the string after the piece; not compared.

  bool operator<(const Piece& other) const {
    return std::tie(bytes, length, doc) < std::tie(other.bytes, other.length, other.doc);
  }
  [[nodiscard]] bool Ties(const Piece& other) const {
    return bytes == other.bytes && length == other.length;
  }

  static Piece Of(std::string_view text, DocNumber doc, uint64_t left, bool descending) {
    Piece piece = {{}, text.size(), doc, left};
    for (size_t i = 0; i < text.size(); ++i) {
      piece.bytes[i / 8] |= uint64_t{static_cast<unsigned char>(text[i])} << (56 - 8 * (i % 8));
    }
    if (!descending) return piece;
    for (uint64_t& word : piece.bytes) word = ~word;
    piece.length = ~piece.length;
    return piece;
  }
};

Status StringOrder::AddTie(const Tie& tie, uint64_t bytes) {
  if (tie.size() < 2 || bytes == 0) return {};
  const uint64_t taken = bytes + tie.size() * kPerString;
  if (taken > held_bytes_) {
    large_.push_back(tie);
    return {};
  }
  const bool together = small_.empty() || (small_.front().offset == tie.offset &&
                                           small_bytes_ + taken <= held_bytes_);
  if (!together) LOOKALIKE_RETURN_IF_ERROR(SortSmall());
  small_.push_back(tie);
  small_bytes_ += taken;
  return {};
}

Status StringOrder::Gather(std::span<const DocNumber> docs, uint64_t offset, uint64_t most,
                           GatheredValues* texts, std::vector<uint64_t>* left) const {
  if (strings_.each == 1) return strings_.all.GatherPieces(docs, offset, most, texts, left);
  std::vector<uint64_t> places(docs.size());
  std::transform(docs.begin(), docs.end(), places.begin(),
                 [&](DocNumber doc) { return doc * strings_.each + strings_.which; });
  return strings_.all.GatherPieces(places, offset, most, texts, left);
}

Status StringOrder::Finish() {
  LOOKALIKE_RETURN_IF_ERROR(SortSmall());
  while (!large_.empty()) {
    Tie tie = large_.back();
    large_.pop_back();
    LOOKALIKE_RETURN_IF_ERROR(SkipCommon(&tie));
    LOOKALIKE_RETURN_IF_ERROR(Split(tie));
  }
  return {};
}

Status StringOrder::SortSmall() {
  if (small_.empty()) return {};
  struct Member {
    DocNumber doc;
    uint64_t tie;  ///< Where the tie begins.
  };
  std::vector<Member> members;
  for (const Tie& tie : small_) {
    for (const DocNumber doc : DocsOf(tie)) members.push_back({doc, tie.begin});
  }
  std::sort(members.begin(), members.end(),
            [](const Member& x, const Member& y) { return x.doc < y.doc; });
  std::vector<DocNumber> docs(members.size());
  std::transform(members.begin(), members.end(), docs.begin(),
                 [](const Member& member) { return member.doc; });
  GatheredValues texts;
  LOOKALIKE_RETURN_IF_ERROR(Gather(docs, small_.front().offset, UINT64_MAX, &texts, nullptr));
  std::vector<uint64_t> sorted(members.size());
  std::iota(sorted.begin(), sorted.end(), uint64_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](uint64_t x, uint64_t y) {
    if (members[x].tie != members[y].tie) return members[x].tie < members[y].tie;
    const int order = TextOf(texts, x).compare(TextOf(texts, y));
    if (order != 0) return strings_.descending ? order > 0 : order < 0;
    return x < y;
  });
  uint64_t place = 0, tie = UINT64_MAX, last = 0;
  for (const uint64_t i : sorted) {
    if (members[i].tie != tie) {
      place = tie = members[i].tie;
    } else if (TextOf(texts, i) != TextOf(texts, last)) {
      Mark(place);
    }
    docs_[place++] = members[i].doc;
    last = i;
  }
  small_.clear();
  small_bytes_ = 0;
  return {};
}

/// Moves the offset past the common beginning of all strings of a tie, if that is at least a piece.
Status StringOrder::SkipCommon(Tie* tie) const {
  const std::span<const DocNumber> docs = DocsOf(*tie);
  const uint64_t widest = std::max(kFirstWindow, held_bytes_ / 16);
  GatheredValues texts;
  for (uint64_t window = kFirstWindow;; window = std::min(window * kWindowGrowth, widest)) {
    const size_t most = std::max<uint64_t>(1, held_bytes_ / (window + kPerString));
    std::string front;
    uint64_t common = window;
    for (size_t i = 0; i < docs.size() && common >= kPiece; i += most) {
      const auto some = docs.subspan(i, std::min(most, docs.size() - i));
      LOOKALIKE_RETURN_IF_ERROR(Gather(some, tie->offset, window, &texts, nullptr));
      if (i == 0) front = TextOf(texts, 0);
      for (size_t k = 0; k < texts.size(); ++k) {
        common = std::min(common, CommonBytes(front, TextOf(texts, k)));
      }
    }
    if (common < kPiece) return {};
    tie->offset += common;
    if (common < window) return {};
  }
}

/// Sorts a tie by the next piece, and adds the ties that remain.
Status StringOrder::Split(const Tie& tie) {
  Sorter<Piece> sorter(store_, sorted_bytes_);
  {
    const std::span<const DocNumber> docs = DocsOf(tie);
    const size_t most = std::max<uint64_t>(1, held_bytes_ / (kPiece + kPerString));
    GatheredValues texts;
    std::vector<uint64_t> left;
    for (size_t i = 0; i < docs.size(); i += most) {
      const auto some = docs.subspan(i, std::min(most, docs.size() - i));
      LOOKALIKE_RETURN_IF_ERROR(Gather(some, tie.offset, kPiece, &texts, &left));
      for (size_t k = 0; k < some.size(); ++k) {
        LOOKALIKE_RETURN_IF_ERROR(
            sorter.Add(Piece::Of(TextOf(texts, k), some[k], left[k], strings_.descending)));
      }
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter.Finish());
  Tie next = {tie.begin, tie.begin, tie.offset + kPiece};
  uint64_t bytes = 0;
  Piece last = {};
  while (const Piece* piece = sorted.Next()) {
    if (next.size() != 0 && !piece->Ties(last)) {
      LOOKALIKE_RETURN_IF_ERROR(AddTie(next, bytes));
      Mark(next.end);
      next.begin = next.end;
      bytes = 0;
    }
    last = *piece;
    bytes += piece->left;
    docs_[next.end++] = piece->doc;
  }
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  if (next.end != tie.end) return EndedEarly({}, "a sorted list of strings");
  LOOKALIKE_RETURN_IF_ERROR(AddTie(next, bytes));
  return SortSmall();
}

}  // namespace lookalike
