#include "index/check.h"

#include <array>
#include <string>

#include "index/hot_keys.h"
#include "index/search.h"

namespace lookalike {
namespace {

/// Each document is compared with what must be there because of it. Keys of each family are
/// counted, so that nothing else can be there.
class Checker {
 public:
  Checker(const IndexRules& rules, const StoreView& view) : rules_(rules), view_(view) {}

  Status Run(const IndexState& state) {
    const auto cursor = view_.Scan(Family::kDocuments, true);
    for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
      const DocumentNumber number = NumberAtEnd(cursor->Key());
      const auto record = DecodeRecord(cursor->Value());
      if (!record) return Wrong(number, "its record cannot be read");
      if (number >= state.next) return Wrong(number, "its number was never given");
      LOOKALIKE_RETURN_IF_ERROR(CheckDocument(number, *record));
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    if (state.documents != Expected(Family::kDocuments)) {
      return CorruptError("it has " + std::to_string(Expected(Family::kDocuments)) +
                          " documents, and counts " + std::to_string(state.documents));
    }
    for (const Family family :
         {Family::kIds, Family::kPostings, Family::kClasses, Family::kSets, Family::kTexts}) {
      LOOKALIKE_RETURN_IF_ERROR(CheckCount(family));
    }
    return {};
  }

 private:
  static Failure Wrong(DocumentNumber number, const std::string& what) {
    return CorruptError("document number " + std::to_string(number) + ": " + what);
  }

  [[nodiscard]] uint64_t& Expected(Family family) { return expected_[static_cast<size_t>(family)]; }

  Status CheckDocument(DocumentNumber number, const DocumentRecord& record) {
    ++Expected(Family::kDocuments);
    LOOKALIKE_ASSIGN_OR_RETURN(const auto by_id, FindNumber(view_, record.id));
    if (by_id != number) return Wrong(number, "its id leads elsewhere");
    ++Expected(Family::kIds);
    const std::string key = EncodeNumber(number);
    LOOKALIKE_ASSIGN_OR_RETURN(const auto in_class,
                               view_.Get(Family::kClasses, ClassPrefix(record.hash) + key));
    if (!in_class) return Wrong(number, "it is not among its copies");
    ++Expected(Family::kClasses);
    if (record.guards.has_value() != rules_.guards.any()) {
      return Wrong(number, "what the guards compare of it is missing");
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckText(number, record));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto first, FirstOfClass(view_, record.hash));
    if (first != number || record.searched == SearchedBy::kNothing) return {};
    return CheckKeys(number, record);
  }

  Status CheckText(DocumentNumber number, const DocumentRecord& record) {
    if (rules_.settings.kept != Kept::kText) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(const auto text, view_.Get(Family::kTexts, EncodeNumber(number)));
    if (!text) return Wrong(number, "its text is missing");
    ++Expected(Family::kTexts);
    const std::string_view known = *text;
    LOOKALIKE_ASSIGN_OR_RETURN(const auto probes,
                               ProbesOf(rules_, {&known, 1}, WordsOfRecord(record)));
    if (probes[0].text_hash == record.text_hash && probes[0].hash == record.hash) return {};
    return Wrong(number, "its text is not what was added");
  }

  Status CheckKeys(DocumentNumber number, const DocumentRecord& record) {
    std::vector<uint64_t> features;
    const std::string key = EncodeNumber(number);
    if (rules_.KeepsSet(record.searched, record.features)) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view_.Get(Family::kSets, key));
      auto set = bytes ? DecodeSet(*bytes) : std::nullopt;
      if (!set || set->size() != record.features) {
        return Wrong(number, "its features are missing");
      }
      features = *std::move(set);
      ++Expected(Family::kSets);
    }
    for (const std::string& posting :
         rules_.keys.KeysOf({record.searched, record.codes, features, record.features})) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto found, view_.Get(Family::kPostings, posting + key));
      LOOKALIKE_ASSIGN_OR_RETURN(
          const auto profile, view_.Get(Family::kPostings, posting + EncodeNumber(kProfileNumber)));
      const auto leader = profile ? LeaderOf(*profile, number) : std::nullopt;
      if (!found && !leader && (!profile || record.deviations.empty())) {
        return Wrong(number, "it cannot be found by one of its keys");
      }
      if (leader && (found || leader->sieved != SievedDocument{record.features, record.codes})) {
        return Wrong(number, "what one of its keys says of it is not so");
      }
      Expected(Family::kPostings) += found || leader ? 1 : 0;
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckLooks(number, features));
    for (const std::string& deviation : record.deviations) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto found, view_.Get(Family::kPostings, deviation + key));
      if (!found) return Wrong(number, "it cannot be found by one of its deviations");
      ++Expected(Family::kPostings);
    }
    return {};
  }

  /// Returns what a profile has of a document, or nothing if it is none of the leaders.
  [[nodiscard]] std::optional<Leader> LeaderOf(std::string_view profile,
                                               DocumentNumber number) const {
    const auto leaders = DecodeLeaders(profile, rules_.engine.code_bytes());
    if (!leaders) return std::nullopt;
    for (const Leader& leader : *leaders) {
      if (leader.number == number) return leader;
    }
    return std::nullopt;
  }

  Status CheckLooks(DocumentNumber number, std::span<const uint64_t> features) {
    if (!rules_.keys.contained()) return {};
    size_t looks = 0;
    for (const std::string& look : rules_.keys.LookKeysOf(features)) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto found,
                                 view_.Get(Family::kPostings, look + EncodeNumber(number)));
      looks += found ? 1 : 0;
    }
    Expected(Family::kPostings) += looks;
    if (looks == rules_.keys.contained()->LooksOf(features).needed) return {};
    return Wrong(number, "it does not look for all documents that may hold it");
  }

  Status CheckCount(Family family) {
    static constexpr std::array<const char*, kFamilyCount> kNames = {
        "", "documents", "ids", "keys", "copies", "feature sets", "texts"};
    uint64_t found = 0;
    const auto cursor = view_.Scan(family, true);
    for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
      const bool is_profile =
          family == Family::kPostings && NumberAtEnd(cursor->Key()) == kProfileNumber;
      if (!is_profile) {
        ++found;
        continue;
      }
      LOOKALIKE_ASSIGN_OR_RETURN(const auto leaders,
                                 DecodeLeaders(cursor->Value(), rules_.engine.code_bytes()));
      found += leaders.size();
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    if (found == Expected(family)) return {};
    return CorruptError("it has " + std::to_string(found) + " " +
                        kNames[static_cast<size_t>(family)] + ", expected " +
                        std::to_string(Expected(family)));
  }

  const IndexRules& rules_;
  const StoreView& view_;
  std::array<uint64_t, kFamilyCount> expected_ = {};
};

}  // namespace

Status CheckContents(const IndexRules& rules, const StoreView& view, const IndexState& state) {
  return Checker(rules, view).Run(state);
}

}  // namespace lookalike
