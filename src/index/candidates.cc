#include "index/candidates.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "kernels/kernels.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

constexpr uint32_t kFloorSteps = 32;

/// Samples are tried by how many documents hold them: first those of fewer than this, then of fewer
/// than its square, and so on.
constexpr size_t kFirstCount = 16;

/// Collects the numbers of documents that share a key with a probe.
class Collection {
 public:
  /// `of_key`: so many of a key, those of the lowest numbers.
  Collection(const IndexKeys& keys, const StoreView& view, const Probe& probe, const Sieve& sieve,
             size_t of_key)
      : keys_(keys),
        probe_(probe),
        sieve_(sieve),
        deviations_(probe),
        cursor_(view.Scan(Family::kPostings, false)),
        of_key_(of_key) {}

  /// Takes the documents of a key, and, if it is hot, those that share a deviation.
  Status TakeKey(const std::string& key) {
    std::optional<Profile> profile;
    LOOKALIKE_RETURN_IF_ERROR(TakeList(key, &numbers_, &profile));
    if (!profile || !deviations_.IsNew(profile->root)) return {};
    // Those that many have were full when later documents stored others, but may not be any more.
    const auto deviations =
        deviations_.AreKnown() ? deviations_.KeysOf(*profile) : probe_.deviations;
    for (const std::string& deviation : deviations) {
      LOOKALIKE_RETURN_IF_ERROR(TakeList(deviation, &numbers_));
    }
    const size_t count = profile->CountDeviations(probe_.codes);
    for (const std::string& family :
         FamiliesToAsk(*profile, count, keys_.few_deviations(probe_.codes.size()))) {
      LOOKALIKE_RETURN_IF_ERROR(TakeList(family, &of_families_));
    }
    return {};
  }

  /// Takes the documents that hold most of the probe's features, or may be held by it. Any samples
  /// to look with will do: those that few documents hold.
  Status TakeContained(const ContainedKeys& keys) {
    for (const uint64_t sample : keys.SamplesOf(probe_.features)) {
      LOOKALIKE_RETURN_IF_ERROR(TakeList(ContainedKeys::LookKey(sample), &numbers_));
    }
    Looks looks = keys.LooksOf(probe_.features);
    // Most documents have enough samples that few hold; counting the others would take longest.
    for (size_t most = kFirstCount; looks.needed > 0; most *= kFirstCount) {
      std::vector<uint64_t> held_by_more;
      for (const uint64_t sample : looks.samples) {
        if (looks.needed == 0) break;
        const std::string key = ContainedKeys::HeldKey(sample);
        LOOKALIKE_ASSIGN_OR_RETURN(const size_t count, CountPostings(cursor_.get(), key, most));
        if (count == most) {
          held_by_more.push_back(sample);
          continue;
        }
        LOOKALIKE_RETURN_IF_ERROR(TakeList(key, &numbers_));
        --looks.needed;
      }
      looks.samples = std::move(held_by_more);
    }
    return {};
  }

  /// Returns what was taken: first all documents that share a key or a deviation, then those of
  /// families, of which there may be very many.
  IndexCandidates Take() {
    MakeDistinct(&ruled_out_);
    MakeDistinct(&numbers_);
    MakeDistinct(&of_families_);
    IndexCandidates taken = {Without(ruled_out_, numbers_), ruled_out_.size(), truncated_};
    const auto others = Without(numbers_, Without(ruled_out_, of_families_));
    taken.numbers.insert(taken.numbers.end(), others.begin(), others.end());
    if (taken.numbers.size() > kMostCandidates) {
      taken.numbers.resize(kMostCandidates);
      taken.truncated = true;
    }
    return taken;
  }

 private:
  using Numbers = std::vector<DocumentNumber>;

  /// Both ascend.
  static Numbers Without(const Numbers& those, const Numbers& from) {
    Numbers left;
    std::set_difference(from.begin(), from.end(), those.begin(), those.end(),
                        std::back_inserter(left));
    return left;
  }

  static void MakeDistinct(Numbers* numbers) {
    std::sort(numbers->begin(), numbers->end());
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  }

  /// Adds the documents of a key to `to`. `profile` receives that of a key that has one.
  Status TakeList(const std::string& key, Numbers* to, std::optional<Profile>* profile = nullptr) {
    size_t found = 0;
    for (cursor_->Seek(key); cursor_->Valid(); cursor_->Next()) {
      const DocumentNumber number = NumberAtEnd(cursor_->Key());
      if (number == kProfileNumber) {
        const size_t width = probe_.codes.size();
        LOOKALIKE_ASSIGN_OR_RETURN(const auto leaders, DecodeLeaders(cursor_->Value(), width));
        found += TakeLeaders(leaders, to);
        if (profile == nullptr) continue;
        LOOKALIKE_ASSIGN_OR_RETURN(*profile, DecodeProfile(key, cursor_->Value(), width));
        continue;
      }
      if (found == of_key_) {
        truncated_ = true;
        break;
      }
      ++found;
      to->push_back(number);
    }
    return cursor_->status();
  }

  /// Returns how many were taken.
  size_t TakeLeaders(std::span<const Leader> leaders, Numbers* to) {
    const auto taken = leaders.first(std::min(leaders.size(), of_key_));
    for (const auto& [number, sieved] : taken) {
      (sieve_.Passes(probe_, sieved) ? *to : ruled_out_).push_back(number);
    }
    return taken.size();
  }

  const IndexKeys& keys_;
  const Probe& probe_;
  const Sieve& sieve_;
  Deviations deviations_;
  std::unique_ptr<StoreCursor> cursor_;
  size_t of_key_;
  bool truncated_ = false;
  Numbers numbers_, of_families_, ruled_out_;
};

}  // namespace

size_t CountEqualCodes(std::string_view a, std::string_view b) {
  return CountEqualBytes(reinterpret_cast<const uint8_t*>(a.data()),
                         reinterpret_cast<const uint8_t*>(b.data()), a.size());
}

// Documents at a threshold of containment have a resemblance that depends on their sizes.
Sieve::Sieve(const IndexRules& rules, const AlikeTest& test, double miss) : test_(test) {
  const uint32_t codes = rules.engine.code_bytes();
  if (test.measure == Measure::kResemblance) {
    floors_ = {CodeAgreementFloor(test.threshold, codes, miss)};
    return;
  }
  for (uint32_t step = 0; step <= kFloorSteps; ++step) {
    floors_.push_back(CodeAgreementFloor(step / double{kFloorSteps}, codes, miss));
  }
}

uint32_t Sieve::FloorOf(double resemblance) const {
  if (floors_.size() == 1) return floors_[0];
  return floors_[static_cast<size_t>(resemblance * kFloorSteps)];
}

bool Sieve::Passes(const Probe& probe, const DocumentRecord& record) const {
  return record.guards == probe.guards && record.searched != SearchedBy::kNothing &&
         probe.searched != SearchedBy::kNothing && Passes(probe, {record.features, record.codes});
}

bool Sieve::Passes(const Probe& probe, const SievedDocument& document) const {
  const uint64_t least = std::min<uint64_t>(document.features, probe.size);
  const uint64_t most = std::max<uint64_t>(document.features, probe.size);
  if (!test_.Meets(least, least, most)) return false;
  if (document.codes.empty() || document.codes.size() != probe.codes.size()) return true;
  const auto common = static_cast<double>(test_.Needed(least, most));
  const double resemblance = common / (static_cast<double>(least + most) - common);
  return CountEqualCodes(document.codes, probe.codes) >= FloorOf(resemblance);
}

Result<size_t> CountPostings(StoreCursor* postings, std::string_view key, size_t most) {
  size_t count = 0;
  for (postings->Seek(key); postings->Valid() && count < most; postings->Next()) ++count;
  LOOKALIKE_RETURN_IF_ERROR(postings->status());
  return count;
}

Result<IndexCandidates> CandidatesOf(const IndexKeys& keys, const StoreView& view,
                                     const Probe& probe, const Sieve& sieve, size_t of_key) {
  Collection collection(keys, view, probe, sieve, of_key);
  if (const auto& contained = keys.contained()) {
    LOOKALIKE_RETURN_IF_ERROR(collection.TakeContained(*contained));
  } else {
    for (const std::string& key : keys.KeysOf(KeyedPart(probe))) {
      LOOKALIKE_RETURN_IF_ERROR(collection.TakeKey(key));
    }
  }
  return collection.Take();
}

}  // namespace lookalike
