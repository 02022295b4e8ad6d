#include "uses/distances/distance_items.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lookalike/size.h"
#include "run/input_pass.h"
#include "run/members.h"
#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

/// With this width, any finite number is within kLargestCell.
constexpr CellRule kAnyNumber = {.width = 0x1p1000};

/// The limit of 32-bit item numbers.
constexpr uint64_t kMostItems = UINT32_MAX - 1;

/// One document of a batch: where its numbers or code points end.
struct BatchItem {
  uint64_t row = 0;
  std::string id;
  uint64_t end = 0;
  std::string problem;
};

/// The items made from a batch on any thread.
struct BatchItems {
  uint32_t source = 0;
  std::vector<BatchItem> items;
  std::vector<double> values;
  std::u32string text;
  uint64_t null_text = 0, repaired_text = 0;
  std::vector<Rejection> rejections;
  bool end_of_source = false;
  std::optional<Error> bad;
};

bool IsZero(std::span<const double> point) {
  return std::all_of(point.begin(), point.end(), [](double x) { return x == 0; });
}

/// A reader of the items of batches. One per thread.
class ItemReader {
 public:
  ItemReader(const Job& job, DistanceKind kind)
      : job_(job), kind_(kind), normalizer_(job.features.normal_form) {}

  BatchItems Read(PassItem from) {
    BatchItems batch;
    batch.source = from.batch.source;
    batch.end_of_source = from.end_of_source;
    batch.bad = std::move(from.bad);
    batch.rejections = std::move(from.batch.rejections);
    for (Rejection& rejection : batch.rejections) rejection.raw = {};  // owned by the batch
    for (const Document& document : from.batch.documents) Add(document, &batch);
    return batch;
  }

 private:
  void Add(const Document& document, BatchItems* batch) {
    BatchItem& item = batch->items.emplace_back();
    item.row = document.row;
    item.id = document.has_id ? std::string(document.id)
                              : FallbackId(job_.inputs.NameOf(batch->source), document.row);
    batch->null_text += document.null_text;
    if (IsOfStrings(kind_)) {
      AddText(document, batch);
      item.end = batch->text.size();
    } else {
      item.problem = AddPoint(document.text, batch);
      item.end = batch->values.size();
    }
  }

  void AddText(const Document& document, BatchItems* batch) {
    AppendCodePoints(normalizer_.Run(document.text), &batch->text);
    batch->repaired_text += document.repaired || normalizer_.replaced_invalid();
  }

  /// Returns why a text is not a point; empty if it is a point or has no numbers.
  std::string AddPoint(std::string_view text, BatchItems* batch) {
    if (auto read = ReadOnePoint(text, kind_, &list_); !read) return read.error().what;
    batch->values.insert(batch->values.end(), list_.values.begin(), list_.values.end());
    return {};
  }

  const Job& job_;
  DistanceKind kind_;
  Normalizer normalizer_;
  PointList list_;
};

/// A collector of the items of batches, in input order.
class ItemCollector {
 public:
  ItemCollector(const Job& job, DistanceKind kind, const MemoryPlan& memory,
                const Observer& observer)
      : job_(job), kind_(kind), memory_(memory), observer_(observer) {}

  Status Take(const BatchItems& batch) {
    LOOKALIKE_RETURN_IF_ERROR(TakeItems(batch));
    if (batch.end_of_source) EndSource(batch);
    return CheckDistanceMemory(memory_, items_.Bytes(), items_.size());
  }

  DistanceItems Finish(RecordCounts* records) {
    *records = records_;
    records->left_out_inputs = job_.left_out.count();
    return std::move(items_);
  }

 private:
  /// The state when the current input began, to restore it if the input turns out to be bad.
  struct Mark {
    size_t items = 0, values = 0, text = 0, id_bytes = 0;
  };

  Status TakeItems(const BatchItems& batch) {
    auto rejection = batch.rejections.begin();
    uint64_t begin = 0;
    for (const BatchItem& item : batch.items) {
      for (; rejection != batch.rejections.end() && rejection->row < item.row; ++rejection) {
        LOOKALIKE_RETURN_IF_ERROR(Reject(batch.source, *rejection));
      }
      ++here_;
      std::string problem = item.problem;
      if (problem.empty()) problem = Keep(item, begin, batch);
      begin = item.end;
      if (problem.empty()) continue;
      --here_;
      LOOKALIKE_RETURN_IF_ERROR(Reject(batch.source, {item.row, std::move(problem), {}, -1}));
    }
    for (; rejection != batch.rejections.end(); ++rejection) {
      LOOKALIKE_RETURN_IF_ERROR(Reject(batch.source, *rejection));
    }
    null_text_ += batch.null_text;
    repaired_text_ += batch.repaired_text;
    return {};
  }

  /// Keeps an item, unless it is empty. Returns the reason if it cannot be kept.
  std::string Keep(const BatchItem& item, uint64_t begin, const BatchItems& batch) {
    if (item.end == begin) return {};
    if (items_.size() == kMostItems) return fmt::format("there are more than {} items", kMostItems);
    if (IsOfStrings(kind_)) {
      items_.strings.Add(std::u32string_view(batch.text).substr(begin, item.end - begin));
    } else {
      const uint64_t count = item.end - begin;
      PointSet& points = items_.points;
      if (points.dimension == 0) points.dimension = static_cast<uint32_t>(count);
      if (points.dimension != count) {
        return fmt::format("the point has {} numbers, but the first point has {}", count,
                           points.dimension);
      }
      points.values.insert(points.values.end(),
                           batch.values.begin() + static_cast<ptrdiff_t>(begin),
                           batch.values.begin() + static_cast<ptrdiff_t>(item.end));
    }
    items_.id_bytes += item.id;
    items_.id_ends.push_back(items_.id_bytes.size());
    if (job_.options.rows) items_.places.push_back({item.row, batch.source});
    return {};
  }

  Status Reject(uint32_t source, const Rejection& rejection) {
    return TakeRejection(job_, observer_, source, rejection, rejected_ + ++rejected_here_);
  }

  void EndSource(const BatchItems& batch) {
    const bool of_reference = batch.source < job_.reference_inputs;
    if (batch.bad) {
      TakeSkipped(observer_, batch.bad, &records_);
      Forget();
    } else if (of_reference) {
      records_.reference += here_;
      records_.rejected_reference += rejected_here_;
    } else {
      records_.in += here_ + rejected_here_;
      records_.rejected += rejected_here_;
      records_.null_text += null_text_;
      records_.repaired_text += repaired_text_;
    }
    rejected_ += batch.bad ? 0 : rejected_here_;
    here_ = rejected_here_ = null_text_ = repaired_text_ = 0;
    if (of_reference) items_.reference = static_cast<uint32_t>(items_.size());
    mark_ = {items_.size(), items_.points.values.size(), items_.strings.text.size(),
             items_.id_bytes.size()};
  }

  void Forget() {
    items_.id_ends.resize(mark_.items);
    items_.id_bytes.resize(mark_.id_bytes);
    if (job_.options.rows) items_.places.resize(mark_.items);
    items_.points.values.resize(mark_.values);
    if (mark_.items == 0) items_.points.dimension = 0;
    items_.strings.text.resize(mark_.text);
    if (IsOfStrings(kind_)) items_.strings.ends.resize(mark_.items);
  }

  const Job& job_;
  DistanceKind kind_;
  const MemoryPlan& memory_;
  const Observer& observer_;
  DistanceItems items_;
  RecordCounts records_;
  Mark mark_;
  uint64_t here_ = 0, rejected_here_ = 0, null_text_ = 0, repaired_text_ = 0;  // of this input
  uint64_t rejected_ = 0;
};

}  // namespace

uint64_t DistanceItems::Bytes() const {
  return points.values.size() * sizeof(double) + strings.text.size() * sizeof(char32_t) +
         (strings.ends.size() + id_ends.size()) * sizeof(uint64_t) + id_bytes.size() +
         places.size() * sizeof(ItemPlace);
}

Status ReadOnePoint(std::string_view text, DistanceKind kind, PointList* point) {
  LOOKALIKE_RETURN_IF_ERROR(ReadPoints(text, kAnyNumber, point, "distance"));
  if (point->spans.size() > 1) {
    return InputError(
        fmt::format("the text has {} points, expected one: a distance is between two points",
                    point->spans.size()));
  }
  if (IsOfDirections(kind) && !point->values.empty() && IsZero(point->values)) {
    return InputError(fmt::format(
        "all numbers are 0: $<distance={}> compares directions, and the zero vector has none",
        ToString(kind)));
  }
  return {};
}

TextForm FormOfDistance(DistanceKind kind) {
  return IsOfStrings(kind) ? TextForm::kText : TextForm::kNumbers;
}

Result<DistanceItems> ReadDistanceItems(const Job& job, DistanceKind kind, const MemoryPlan& memory,
                                        const Observer& observer, RecordCounts* records) {
  PassRange range;
  range.ahead = memory.ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "read", observer, range);
  tbb::enumerable_thread_specific<ItemReader> readers([&] { return ItemReader(job, kind); });
  ItemCollector collector(job, kind, memory, observer);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return readers.local().Read(std::move(item)); },
      [&](const BatchItems& batch) { return collector.Take(batch); }, memory.batches));
  return collector.Finish(records);
}

Status CheckDistanceMemory(const MemoryPlan& memory, uint64_t needed, uint64_t items) {
  // The other half is for the sorted pairs, and for growing vectors.
  const auto room = [](const MemoryPlan& plan) { return plan.engine / 2; };
  if (needed <= room(memory)) return {};
  constexpr uint64_t kStep = uint64_t{16} << 20;
  uint64_t enough = memory.total / kStep * kStep;
  while (room(PlanMemory(enough, memory.asked_threads)) < needed) enough += kStep;
  return MemoryError(
      fmt::format("$<memory={}> is not enough for {} points or strings, which are held in memory "
                  "with their keys; raise it to at least {}",
                  FormatSize(memory.total), items, FormatSize(enough)));
}

}  // namespace lookalike
