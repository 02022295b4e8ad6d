#include "batch/keep_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "batch/job.h"
#include "batch/units.h"
#include "batch/workspace.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr uint64_t kMissing = 2;
constexpr uint64_t kSign = uint64_t{1} << 63;

/// A double as an integer of the same order.
uint64_t Ordered(double value) {
  const auto bits = std::bit_cast<uint64_t>(value + 0.0);  // one zero
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// An integer or a double, without loss: a 64-bit integer is its nearest double and the rest.
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
  auto operator<=>(const RankedValue&) const = default;
};

/// Puts documents into `order` as their values come, sorted.
class OrderBuilder {
 public:
  OrderBuilder(const Job& job, const DocumentUnits& units, std::vector<DocNumber>* order)
      : job_(job), units_(units), order_(*order) {}

  Status Take(const RankedValue& next) {
    if (!group_.empty() && group_value_ != next.value) LOOKALIKE_RETURN_IF_ERROR(EndGroup());
    group_value_ = next.value;
    group_.push_back(next.doc);
    return {};
  }

  /// Documents of equal words; strings are settled by all of their bytes.
  Status EndGroup() {
    const bool descending = job_.keep.descending;
    const bool strings =
        job_.keep.by == KeepOption::By::kField && group_value_.words[0] == (descending ? 0U : 1U);
    if (strings && group_.size() > 1) {
      GatheredValues texts;
      LOOKALIKE_RETURN_IF_ERROR(units_.keep_texts.Gather(group_, &texts));
      std::vector<size_t> by_text(group_.size());
      std::iota(by_text.begin(), by_text.end(), size_t{0});
      const auto text = [&](size_t i) {
        const auto bytes = texts.Value(i);
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      };
      std::stable_sort(by_text.begin(), by_text.end(), [&](size_t x, size_t y) {
        return descending ? text(y) < text(x) : text(x) < text(y);
      });
      for (const size_t i : by_text) order_.push_back(group_[i]);
    } else {
      order_.insert(order_.end(), group_.begin(), group_.end());
    }
    group_.clear();
    return {};
  }

 private:
  const Job& job_;
  const DocumentUnits& units_;
  std::vector<DocNumber>& order_;
  KeepWords group_value_;
  std::vector<DocNumber> group_;
};

/// Order by values in the units' runs.
Status OrderByValues(const Job& job, const DocumentUnits& units, Workspace* workspace,
                     std::vector<DocNumber>* order) {
  Sorter<RankedValue> sorter(&workspace->store(), workspace->memory().work);
  RecordReader<KeepWords> values(units.runs(), kUnitKeep);
  DocNumber doc = 0;
  bool any = false;
  while (const KeepWords* value = values.Next()) {
    any = any || !value->IsMissing();
    if (doc >= job.ReferenceEnd(units.inputs)) {
      LOOKALIKE_RETURN_IF_ERROR(sorter.Add(RankedValue{*value, doc}));
    }
    ++doc;
  }
  if (!values.status() || doc != units.documents) {
    return EndedEarly(values.status(), "the list of values to keep by");
  }
  if (!any && doc != 0 && job.keep.by == KeepOption::By::kField) {
    // Documents without the field come last; where none has it, its name is surely a slip.
    return Fail("no document has the field \"" + job.fields.keep +
                "\" that --keep names, as a number or a string; check its name");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter.Finish());
  OrderBuilder builder(job, units, order);
  while (const RankedValue* next = sorted.Next()) LOOKALIKE_RETURN_IF_ERROR(builder.Take(*next));
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  return builder.EndGroup();
}

/// Order by the place of a document's input in the list that --keep source gives.
void OrderBySources(const Job& job, const DocumentUnits& units, std::vector<DocNumber>* order) {
  const auto& names = job.keep.sources;
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
  if (job.keep.by == KeepOption::By::kFirst) return ranking;
  ranking.order.reserve(units.documents);
  for (DocNumber doc = 0; doc < job.ReferenceEnd(units.inputs); ++doc) {
    ranking.order.push_back(doc);
  }
  if (job.keep.by == KeepOption::By::kSource) {
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
