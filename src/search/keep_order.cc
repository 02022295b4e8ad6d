#include "search/keep_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/string_order.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr uint64_t kMissing = 2;
constexpr uint64_t kSign = uint64_t{1} << 63;

/// Returns an integer that sorts like the double.
uint64_t Ordered(double value) {
  const auto bits = std::bit_cast<uint64_t>(value + 0.0);  // makes both zeros one
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Returns an integer or a double without loss: a 64-bit integer becomes its nearest double and the
/// remainder.
std::array<uint64_t, 2> NumberWords(const FieldValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return {Ordered(*real), kSign};
  const int64_t whole = std::get<int64_t>(value);
  const auto near = static_cast<double>(whole);
  const int64_t rest = near >= 0x1p63 ? whole - INT64_MAX - 1 : whole - static_cast<int64_t>(near);
  return {Ordered(near), static_cast<uint64_t>(rest) ^ kSign};
}

std::array<uint64_t, 2> TextWords(std::string_view text) {
  std::array<uint64_t, 2> words = {};
  for (size_t i = 0; i < std::min<size_t>(16, text.size()); ++i) {
    words[i / 8] |= uint64_t{static_cast<unsigned char>(text[i])} << (56 - 8 * (i % 8));
  }
  return words;
}

bool IsMissing(const FieldValue& value) {
  const auto* real = std::get_if<double>(&value);
  return std::holds_alternative<std::monostate>(value) || (real != nullptr && std::isnan(*real));
}

KeepWords FieldWords(const FieldValue& value, bool descending) {
  if (IsMissing(value)) return {{kMissing, 0, 0}};
  const auto* text = std::get_if<std::string>(&value);
  auto [high, low] = text != nullptr ? TextWords(*text) : NumberWords(value);
  if (descending) high = ~high, low = ~low;
  return {{(text != nullptr) != descending ? 1U : 0U, high, low}};
}

/// A value of a document that is in a group: documents that all criteria before leave equal.
struct RankedValue {
  KeepWords value;  ///< Its first word also has the rank of the group's first document.
  DocNumber doc;
  uint64_t bytes;  ///< Size of its string, if it has one.
  auto operator<=>(const RankedValue&) const = default;
};

/// The kinds of values are less than this, so that a group and a kind share a word.
constexpr uint64_t kKinds = 4;

/// Reads the values of one criterion, document by document.
class CriterionValues {
 public:
  CriterionValues(const KeepPolicy& policy, size_t criterion, const DocumentUnits& units)
      : is_field_(policy.criteria[criterion].by == KeepCriterion::By::kField),
        all_values_(policy.CountValues()),
        all_fields_(policy.Fields().size()),
        values_(units.runs(), kUnitKeep),
        ends_(units.runs(), kUnitKeepEnds) {
    for (size_t i = 0; i < criterion; ++i) {
      value_ += policy.criteria[i].IsOfValues();
      field_ += policy.criteria[i].by == KeepCriterion::By::kField;
    }
  }

  /// Reads the next document's value, and the length of its string in bytes. False at the end, or
  /// if something is missing.
  bool Next(KeepWords* value, uint64_t* bytes) {
    for (size_t i = 0; i < all_values_; ++i) {
      const KeepWords* const next = values_.Next();
      if (next == nullptr) return false;
      if (i == value_) *value = *next;
    }
    *bytes = 0;
    for (size_t i = 0; is_field_ && i < all_fields_; ++i) {
      const uint64_t* const end = ends_.Next();
      if (end == nullptr) return false;
      if (std::exchange(run_, ends_.run()) != ends_.run()) last_end_ = 0;
      const uint64_t size = *end - std::exchange(last_end_, *end);
      if (i == field_) *bytes = size;
    }
    return true;
  }

  /// Returns the position of the criterion among those of fields.
  [[nodiscard]] size_t field() const { return field_; }

  /// Returns the Error for documents without a value.
  [[nodiscard]] tl::unexpected<Error> EndedHere() const {
    const Status& status = values_.status();
    return EndedEarly(status ? ends_.status() : status, "the list of values to keep by");
  }

 private:
  bool is_field_;
  size_t all_values_, all_fields_;
  size_t value_ = 0, field_ = 0;  ///< The criterion among those of values, and of fields.
  RecordReader<KeepWords> values_;
  RecordReader<uint64_t> ends_;
  size_t run_ = 0;  ///< Run of the last end; ends are counted within each run.
  uint64_t last_end_ = 0;
};

/// Ranks documents, one criterion after the other. Documents that the criteria so far leave equal
/// are a group, at consecutive ranks in input order; the next criterion sorts within groups only.
class Ranker {
 public:
  Ranker(const Job& job, const DocumentUnits& units, Workspace* workspace)
      : job_(job),
        policy_(job.choices.keep),
        units_(units),
        workspace_(*workspace),
        reference_end_(job.ReferenceEnd(units.inputs)),
        levels_(units.documents, KeepLevel::kInputOrder) {}

  Result<Ranking> Run() {
    ranking_.order.resize(units_.documents);
    std::iota(ranking_.order.begin(), ranking_.order.end(), DocNumber{0});
    if (reference_end_ < units_.documents) levels_[reference_end_] = KeepLevel::kReference;
    for (size_t i = 0; i < policy_.criteria.size(); ++i) {
      if (i != 0) FindGroups();
      LOOKALIKE_RETURN_IF_ERROR(OrderBy(i));
    }
    SetRanks();
    ranking_.levels = KeepLevels(std::move(levels_));
    return std::move(ranking_);
  }

 private:
  Status OrderBy(size_t criterion) {
    if (policy_.criteria[criterion].IsOfValues()) return OrderByValues(criterion);
    if (criterion != 0) return OrderGroupsBySources(criterion);
    OrderBySources();
    return {};
  }

  /// Orders by the values in the units' runs.
  Status OrderByValues(size_t criterion) {
    const KeepCriterion& by = policy_.criteria[criterion];
    Sorter<RankedValue> sorter(&workspace_.store(), MemoryForValues());
    CriterionValues values(policy_, criterion, units_);
    RankedValue next = {};
    bool any = false;
    for (; next.doc < units_.documents; ++next.doc) {
      if (!values.Next(&next.value, &next.bytes)) return values.EndedHere();
      any = any || !next.value.IsMissing();
      LOOKALIKE_RETURN_IF_ERROR(AddToSorter(next, criterion, &sorter));
    }
    const bool by_field = by.by == KeepCriterion::By::kField;
    if (!any && units_.documents != 0 && by_field) {
      // Documents without the field come last; if none has it, its name must be a mistake.
      return OptionError("no document has a number or string in the field \"" + by.field +
                         "\" that $<keep> names; check its name");
    }
    if (!by_field) return TakeSorted(criterion, &sorter, nullptr);
    StringOrder strings({units_.keep_texts, policy_.Fields().size(), values.field(), by.descending},
                        &workspace_.store(), MemoryForValues(), &ranking_.order,
                        {&levels_, LevelOfCriterion(criterion)});
    return TakeSorted(criterion, &sorter, &strings);
  }

  /// Orders documents by the position of their input in the list of --keep source.
  void OrderBySources() {
    std::vector<std::pair<size_t, uint32_t>> sources;
    for (auto source = job_.reference_inputs; source < job_.inputs.size(); ++source) {
      sources.emplace_back(PlaceOf(source, 0), source);
    }
    std::sort(sources.begin(), sources.end());
    const auto& first = units_.inputs.first_of_source;
    DocNumber at = reference_end_;
    std::optional<size_t> last_place;
    for (const auto& [place, source] : sources) {
      if (first[source] == first[source + 1]) continue;
      if (std::exchange(last_place, place).value_or(place) != place) {
        levels_[at] = LevelOfCriterion(0);
      }
      for (DocNumber doc = first[source]; doc < first[source + 1]; ++doc) {
        ranking_.order[at++] = doc;
      }
    }
  }

  /// Does the same within groups.
  Status OrderGroupsBySources(size_t criterion) {
    Sorter<RankedValue> sorter(&workspace_.store(), MemoryForValues());
    const auto& first = units_.inputs.first_of_source;
    for (auto source = job_.reference_inputs; source < job_.inputs.size(); ++source) {
      const KeepWords place = {{0, PlaceOf(source, criterion), 0}};
      for (DocNumber doc = first[source]; doc < first[source + 1]; ++doc) {
        LOOKALIKE_RETURN_IF_ERROR(AddToSorter({place, doc, 0}, criterion, &sorter));
      }
    }
    return TakeSorted(criterion, &sorter, nullptr);
  }

  [[nodiscard]] size_t PlaceOf(uint32_t source, size_t criterion) const {
    const auto& names = policy_.criteria[criterion].sources;
    return static_cast<size_t>(std::ranges::find(names, job_.inputs[source].name) - names.begin());
  }

  /// Adds a document to those that are sorted, if it is in a group of several.
  Status AddToSorter(RankedValue value, size_t criterion, Sorter<RankedValue>* sorter) const {
    if (value.doc < reference_end_) return {};
    // Before the first criterion, all documents are a group.
    const uint64_t group = criterion == 0 ? reference_end_ : ranking_.ranks[value.doc];
    if (criterion != 0 && IsAlone(group)) return {};
    value.value.words[0] += group * kKinds;
    return sorter->Add(value);
  }

  /// True if only one document is in the group that begins at `rank`.
  [[nodiscard]] bool IsAlone(uint64_t rank) const {
    return rank + 1 == levels_.size() || levels_[rank + 1] != KeepLevel::kInputOrder;
  }

  /// Puts the sorted documents in their places, and notes where their values differ. `strings` is
  /// null if no value is one.
  Status TakeSorted(size_t criterion, Sorter<RankedValue>* sorter, StringOrder* strings) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter->Finish());
    const uint64_t kind_of_strings = policy_.criteria[criterion].descending ? 0 : 1;
    EqualValues equal;
    const auto end_equal = [&]() -> Status {
      const bool are_strings = strings != nullptr && equal.value[0] % kKinds == kind_of_strings;
      return are_strings ? strings->Add(equal.begin, equal.end, equal.bytes) : Status();
    };
    while (const RankedValue* next = sorted.Next()) {
      if (equal.value != next->value.words) {
        LOOKALIKE_RETURN_IF_ERROR(end_equal());
        const uint64_t group = next->value.words[0] / kKinds;
        const bool is_first = equal.begin == equal.end || equal.value[0] / kKinds != group;
        const uint64_t begin = is_first ? group : equal.end;
        if (!is_first) levels_[begin] = LevelOfCriterion(criterion);
        equal = {next->value.words, begin, begin, 0};
      }
      equal.bytes += next->bytes;
      ranking_.order[equal.end++] = next->doc;
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    LOOKALIKE_RETURN_IF_ERROR(end_equal());
    return strings != nullptr ? strings->Finish() : Status();
  }

  /// Sets, for each document, the first rank of its group.
  void FindGroups() {
    ranking_.ranks.resize(units_.documents);
    uint64_t begin = reference_end_;
    for (uint64_t rank = reference_end_; rank < units_.documents; ++rank) {
      if (levels_[rank] != KeepLevel::kInputOrder) begin = rank;
      ranking_.ranks[ranking_.order[rank]] = begin;
    }
  }

  void SetRanks() {
    ranking_.ranks.resize(units_.documents);
    for (uint64_t rank = 0; rank < units_.documents; ++rank) {
      ranking_.ranks[ranking_.order[rank]] = rank;
    }
  }

  /// Returns the memory for values, and for strings.
  [[nodiscard]] uint64_t MemoryForValues() const { return workspace_.memory().work / 2; }

  /// Documents of a group, at consecutive ranks, whose words are equal.
  struct EqualValues {
    std::array<uint64_t, 3> value = {UINT64_MAX, 0, 0};
    uint64_t begin = 0, end = 0;  ///< Their ranks.
    uint64_t bytes = 0;           ///< The size of all their strings.
  };

  const Job& job_;
  const KeepPolicy& policy_;
  const DocumentUnits& units_;
  Workspace& workspace_;
  DocNumber reference_end_;
  Ranking ranking_;
  std::vector<KeepLevel> levels_;  ///< As in KeepLevels; input order where documents tie so far.
};

/// Returns the value of a document in one of the fields that are compared; missing if it has none.
const FieldValue& KeepFieldOf(const Document& document, size_t field) {
  static const FieldValue kNone;
  if (field == 0) return document.keep_field;
  return field <= document.more_keep_fields.size() ? document.more_keep_fields[field - 1] : kNone;
}

}  // namespace

// A byte for the kind, and a number's words or the bytes of a string. A longer string is greater.
// If the greatest comes first, its bytes are inverted, and an end that is greater than any of them
// follows; the two greatest make room for it.
std::string KeepKey(const FieldValue& value, bool descending) {
  if (IsMissing(value)) return {};
  const KeepWords sorted = FieldWords(value, descending);
  std::string key(1, static_cast<char>(sorted.words[0]));
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    for (const uint64_t word : {sorted.words[1], sorted.words[2]}) {
      for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(word >> shift);
    }
    return key;
  }
  if (!descending) return key + *text;
  constexpr unsigned char kShifted = 0xFE, kEnd = 0xFF;
  for (const char byte : *text) {
    const auto inverted = static_cast<unsigned char>(~byte);
    if (inverted >= kShifted) key += static_cast<char>(kShifted);
    key += static_cast<char>(inverted);
  }
  return key + static_cast<char>(kEnd);
}

namespace {

/// Returns the number of code points in all texts of a document.
uint64_t LengthOf(const Document& document, FurtherTexts further) {
  uint64_t length = CountCodePoints(document.text);
  for (const auto& text : further) length += text ? CountCodePoints(*text) : 0;
  return length;
}

}  // namespace

void AppendKeepValues(const KeepPolicy& policy, const Document& document, FurtherTexts further,
                      KeepColumn* column) {
  size_t fields = 0;
  for (const KeepCriterion& criterion : policy.criteria) {
    switch (criterion.by) {
      case KeepCriterion::By::kFirst:
      case KeepCriterion::By::kSource:
        break;
      case KeepCriterion::By::kLongest:
        column->words.push_back({{0, ~LengthOf(document, further), 0}});
        break;
      case KeepCriterion::By::kShortest:
        column->words.push_back({{0, LengthOf(document, further), 0}});
        break;
      case KeepCriterion::By::kField: {
        const FieldValue& value = KeepFieldOf(document, fields++);
        column->words.push_back(FieldWords(value, criterion.descending));
        if (const auto* text = std::get_if<std::string>(&value)) column->texts += *text;
        column->ends.push_back(column->texts.size());
        break;
      }
    }
  }
}

Result<Ranking> RankDocuments(const Job& job, const DocumentUnits& units, Workspace* workspace) {
  if (job.choices.keep.IsFirst()) return Ranking();
  return Ranker(job, units, workspace).Run();
}

}  // namespace lookalike
