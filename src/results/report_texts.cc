#include "results/report_texts.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fingerprint/feature_extractor.h"
#include "results/passages.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// True if a stretch contains anything that is compared. Blanks are not compared, and punctuation
/// only in code.
bool HoldsCompared(std::string_view text, const FeatureSpec& spec) {
  const bool symbols = spec.shingle.kind == ShingleSpec::Kind::kCode;
  return std::any_of(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (symbols) return std::isspace(byte) == 0;
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_';
  });
}

/// Returns items as the page takes them, one per line. Separators remain one code point each.
std::vector<Segment> OnLines(std::vector<Segment> segments, const FeatureSpec& spec) {
  if (FormOfTexts(spec) != TextForm::kItems) return segments;
  for (Segment& segment : segments) {
    std::replace(segment.text.begin(), segment.text.end(), kItemEnd, '\n');
    std::replace(segment.text.begin(), segment.text.end(), kWeightBegin, '\t');
  }
  return segments;
}

/// Returns stretches as the page takes them. Stretches that differ only in punctuation are not
/// marked as different.
std::vector<Segment> Joined(const std::vector<Segment>& segments, const FeatureSpec& spec) {
  std::vector<Segment> joined;
  for (const Segment& segment : segments) {
    const bool shared = segment.shared || !HoldsCompared(segment.text, spec);
    if (!joined.empty() && joined.back().shared == shared) {
      joined.back().text += segment.text;
    } else {
      joined.push_back({segment.text, shared});
    }
  }
  return joined;
}

Json SegmentsJson(const std::vector<Segment>& segments) {
  Json list = Json::array();
  for (const Segment& segment : segments) list.push_back({segment.text, segment.shared ? 1 : 0});
  return list;
}

std::vector<Stretch> StretchesOf(const std::vector<Segment>& segments) {
  std::vector<Stretch> stretches;
  uint64_t at = 0;
  for (const Segment& segment : segments) {
    const uint64_t begin = at;
    at += CountCodePoints(segment.text);
    stretches.push_back({begin, at, segment.shared});
  }
  return stretches;
}

/// Returns the stretch that holds a code point, or the number of stretches if none does.
size_t StretchAt(std::span<const Stretch> stretches, uint64_t at) {
  const auto next = std::upper_bound(stretches.begin(), stretches.end(), at,
                                     [](uint64_t x, const Stretch& s) { return x < s.begin; });
  if (next == stretches.begin() || std::prev(next)->end <= at) return stretches.size();
  return static_cast<size_t>(std::prev(next) - stretches.begin());
}

/// A finder of the best chain that ends before a position, for positions in any order (Fenwick
/// 1994).
class BestChains {
 public:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  struct Chain {
    uint64_t weight = 0;
    size_t last = kNone;
  };

  explicit BestChains(size_t places) : chains_(places + 1) {}

  void Offer(size_t place, Chain chain) {
    for (size_t i = place + 1; i < chains_.size(); i += i & (~i + 1)) {
      if (chain.weight > chains_[i].weight) chains_[i] = chain;
    }
  }
  [[nodiscard]] Chain Before(size_t place) const {
    Chain best;
    for (size_t i = place; i > 0; i -= i & (~i + 1)) {
      if (chains_[i].weight > best.weight) best = chains_[i];
    }
    return best;
  }

 private:
  std::vector<Chain> chains_;
};

}  // namespace

ExcerptPair ExcerptsOfTexts(const TextExcerpt& removed, const TextExcerpt& witness,
                            const FeatureSpec& spec) {
  const std::string a = RepairUtf8(removed.text), b = RepairUtf8(witness.text);
  std::vector<Passage> passages;
  if (CanBeCut(spec) && std::max(a.size(), b.size()) > kExcerptBytes) {
    passages = SharedPassages(a, b, spec, TextKind::kPlain);
  }
  ExcerptPair pair = ChooseExcerpts(a, b, passages, kExcerptBytes);
  pair.a.cut |= removed.cut;
  pair.b.cut |= witness.cut;
  return pair;
}

std::vector<std::pair<size_t, size_t>> AlignStretches(std::span<const Stretch> a,
                                                      std::span<const Stretch> b,
                                                      std::span<const Passage> passages) {
  std::map<std::pair<size_t, size_t>, uint64_t> weights;
  for (const Passage& passage : passages) {
    const size_t x = StretchAt(a, passage.a_begin), y = StretchAt(b, passage.b_begin);
    if (x == a.size() || y == b.size()) continue;
    weights[{x, y}] += std::max<uint64_t>(1, passage.a_end - passage.a_begin);
  }
  struct Link {
    std::pair<size_t, size_t> pair;
    size_t before;
  };
  std::vector<Link> links;
  BestChains chains(b.size());
  BestChains::Chain best;
  for (auto at = weights.begin(); at != weights.end();) {
    // All pairs of one stretch look up the chains before it, before their own chains are added.
    std::vector<std::pair<size_t, BestChains::Chain>> offers;
    for (const size_t x = at->first.first; at != weights.end() && at->first.first == x; ++at) {
      const BestChains::Chain before = chains.Before(at->first.second);
      const BestChains::Chain chain = {before.weight + at->second, links.size()};
      links.push_back({at->first, before.last});
      offers.emplace_back(at->first.second, chain);
      if (chain.weight > best.weight) best = chain;
    }
    for (const auto& [place, chain] : offers) chains.Offer(place, chain);
  }
  std::vector<std::pair<size_t, size_t>> aligned;
  for (size_t i = best.last; i != BestChains::kNone; i = links[i].before) {
    aligned.push_back(links[i].pair);
  }
  std::reverse(aligned.begin(), aligned.end());
  return aligned;
}

void AddTexts(const ExcerptPair& texts, const FeatureSpec& spec, Json* member) {
  const auto& [gone, kept] = texts;
  const auto passages = SharedPassages(kept.text, gone.text, spec, TextKind::kPlain);
  const auto of = [&](const TextExcerpt& excerpt, Side side) {
    return Joined(OnLines(SplitByPassages(excerpt.text, passages, side), spec), spec);
  };
  const std::vector<Segment> kept_segments = of(kept, Side::kA), segments = of(gone, Side::kB);
  (*member)["truncated"] = gone.cut;
  (*member)["kept_truncated"] = kept.cut;
  (*member)["before"] = gone.before;
  (*member)["kept_before"] = kept.before;
  (*member)["kept_segments"] = SegmentsJson(kept_segments);
  (*member)["segments"] = SegmentsJson(segments);
  Json anchors = Json::array();
  for (const auto& [x, y] :
       AlignStretches(StretchesOf(kept_segments), StretchesOf(segments), passages)) {
    anchors.push_back({x, y});
  }
  (*member)["anchors"] = anchors;
}

}  // namespace lookalike
