#include "search/keep_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
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

struct RankedValue {
  KeepWords value;
  DocNumber doc;
  uint64_t bytes;  ///< Size of its string, if it has one.
  auto operator<=>(const RankedValue&) const = default;
};

/// Reads the lengths, in bytes, of the strings that --keep compares, document by document.
class StringLengths {
 public:
  explicit StringLengths(const DocumentUnits& units) : ends_(units.runs(), kUnitKeepEnds) {}

  /// Returns the length of the next document's string; 0 if its value is not one. REQUIRES: --keep
  /// field.
  Result<uint64_t> Next() {
    const uint64_t* end = ends_.Next();
    if (end == nullptr) return EndedEarly(ends_.status(), "the list of values to keep by");
    if (std::exchange(run_, ends_.run()) != ends_.run()) last_end_ = 0;
    return *end - std::exchange(last_end_, *end);
  }

 private:
  RecordReader<uint64_t> ends_;
  size_t run_ = 0;  ///< Run of the last end; ends are counted within each run.
  uint64_t last_end_ = 0;
};

/// A builder of `order`, which takes documents by their sorted values.
class OrderBuilder {
 public:
  OrderBuilder(const Job& job, const DocumentUnits& units, Workspace* workspace,
               uint64_t memory_bytes, std::vector<DocNumber>* order)
      : by_field_(job.choices.keep.by == KeepOption::By::kField),
        kind_of_strings_(job.choices.keep.descending ? 0 : 1),
        strings_(units.keep_texts, job.choices.keep.descending, &workspace->store(), memory_bytes,
                 order),
        order_(*order),
        begin_(order->size()) {}

  Status Take(const RankedValue& next) {
    if (begin_ != order_.size() && value_ != next.value) LOOKALIKE_RETURN_IF_ERROR(EndGroup());
    value_ = next.value;
    bytes_ += next.bytes;
    order_.push_back(next.doc);
    return {};
  }

  Status Finish() {
    LOOKALIKE_RETURN_IF_ERROR(EndGroup());
    return strings_.Finish();
  }

 private:
  /// Ends a group of documents with equal words; strings are ordered by all of their bytes.
  Status EndGroup() {
    const uint64_t begin = std::exchange(begin_, order_.size());
    const uint64_t bytes = std::exchange(bytes_, 0);
    if (!by_field_ || value_.words[0] != kind_of_strings_) return {};
    return strings_.Add(begin, order_.size(), bytes);
  }

  bool by_field_;
  uint64_t kind_of_strings_;  ///< The first word of strings.
  StringOrder strings_;
  std::vector<DocNumber>& order_;
  KeepWords value_;
  uint64_t begin_;  ///< Where the group begins.
  uint64_t bytes_ = 0;
};

/// Orders documents by the values in the units' runs.
Status OrderByValues(const Job& job, const DocumentUnits& units, Workspace* workspace,
                     std::vector<DocNumber>* order) {
  const uint64_t memory = workspace->memory().work / 2;  // for values, and for strings
  const bool by_field = job.choices.keep.by == KeepOption::By::kField;
  Sorter<RankedValue> sorter(&workspace->store(), memory);
  RecordReader<KeepWords> values(units.runs(), kUnitKeep);
  StringLengths lengths(units);
  DocNumber doc = 0;
  bool any = false;
  while (const KeepWords* value = values.Next()) {
    any = any || !value->IsMissing();
    uint64_t bytes = 0;
    if (by_field) {
      LOOKALIKE_ASSIGN_OR_RETURN(bytes, lengths.Next());
    }
    if (doc >= job.ReferenceEnd(units.inputs)) {
      LOOKALIKE_RETURN_IF_ERROR(sorter.Add(RankedValue{*value, doc, bytes}));
    }
    ++doc;
  }
  if (!values.status() || doc != units.documents) {
    return EndedEarly(values.status(), "the list of values to keep by");
  }
  if (!any && doc != 0 && by_field) {
    // Documents without the field come last; if none has it, its name must be a mistake.
    return OptionError("no document has a number or string in the field \"" + job.fields.keep +
                       "\" that $<keep> names; check its name");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter.Finish());
  OrderBuilder builder(job, units, workspace, memory, order);
  while (const RankedValue* next = sorted.Next()) LOOKALIKE_RETURN_IF_ERROR(builder.Take(*next));
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  return builder.Finish();
}

/// Orders documents by the position of their input in the list of --keep source.
void OrderBySources(const Job& job, const DocumentUnits& units, std::vector<DocNumber>* order) {
  const auto& names = job.choices.keep.sources;
  std::vector<std::pair<size_t, uint32_t>> sources;
  for (auto source = job.reference_inputs; source < job.inputs.size(); ++source) {
    const auto place = std::find(names.begin(), names.end(), job.inputs[source].name);
    sources.emplace_back(static_cast<size_t>(place - names.begin()), source);
  }
  std::sort(sources.begin(), sources.end());
  const auto& first = units.inputs.first_of_source;
  for (const auto& [place, source] : sources) {
    for (DocNumber doc = first[source]; doc < first[source + 1]; ++doc) order->push_back(doc);
  }
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

void AppendKeepValue(const KeepOption& keep, const Document& document, KeepColumn* column) {
  switch (keep.by) {
    case KeepOption::By::kFirst:
    case KeepOption::By::kSource:
      return;
    case KeepOption::By::kLongest:
      column->words.push_back({{0, ~CountCodePoints(document.text), 0}});
      return;
    case KeepOption::By::kShortest:
      column->words.push_back({{0, CountCodePoints(document.text), 0}});
      return;
    case KeepOption::By::kField:
      column->words.push_back(FieldWords(document.keep_field, keep.descending));
      if (const auto* text = std::get_if<std::string>(&document.keep_field)) {
        column->texts += *text;
      }
      column->ends.push_back(column->texts.size());
      return;
  }
}

Result<Ranking> RankDocuments(const Job& job, const DocumentUnits& units, Workspace* workspace) {
  Ranking ranking;
  if (job.choices.keep.by == KeepOption::By::kFirst) return ranking;
  ranking.order.reserve(units.documents);
  for (DocNumber doc = 0; doc < job.ReferenceEnd(units.inputs); ++doc) {
    ranking.order.push_back(doc);
  }
  if (job.choices.keep.by == KeepOption::By::kSource) {
    OrderBySources(job, units, &ranking.order);
  } else {
    LOOKALIKE_RETURN_IF_ERROR(OrderByValues(job, units, workspace, &ranking.order));
  }
  ranking.ranks.resize(ranking.order.size());
  for (Rank rank = 0; rank < ranking.order.size(); ++rank) {
    ranking.ranks[ranking.order[rank]] = rank;
  }
  return ranking;
}

}  // namespace lookalike
