#include "uses/group/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "run/input_pass.h"
#include "spill/record_reader.h"
#include "spill/run_store.h"
#include "spill/sorter.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

/// A row with the hash of its group. Sorting brings the rows of a group together, with the first
/// row first.
struct KeyedRow {
  uint64_t low, high;  ///< Hash of the group's name.
  uint64_t row;        ///< Number of the row among the accepted rows.
  auto operator<=>(const KeyedRow&) const = default;
};

/// The group of a row, as the number of its first row.
struct RowGroup {
  uint64_t row, first;
  auto operator<=>(const RowGroup&) const = default;
};

/// The number of bytes of each field in a row.
struct RowSizes {
  uint32_t group, item, weight;
};

/// A part of a row's bytes, in a sortable record. Sorting keeps the parts of a row together and in
/// order.
struct Piece {
  uint64_t first, row;
  uint32_t number;
  uint32_t size;
  std::array<char, 40> bytes;

  bool operator<(const Piece& other) const {
    if (first != other.first) return first < other.first;
    return row != other.row ? row < other.row : number < other.number;
  }
};

/// The streams of the run that stores the rows, in reading order.
enum RowStream : uint32_t { kRowSizes, kRowBytes, kRowStreams };

/// The rows made from a batch on any thread.
struct BatchRows {
  uint32_t source = 0;
  std::vector<KeyedRow> keys;  ///< `row` counts from 0 here.
  std::vector<RowSizes> sizes;
  std::string bytes;
  std::vector<Rejection> rejections;
  bool end_of_source = false;
  std::optional<Error> bad;
};

/// Returns a weight as a decimal number; none if the field has no number.
std::optional<std::string> WeightText(const FieldValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr || !std::isfinite(*real)) return {};
  return CanonicalDecimal(*real);
}

/// Returns why a record is not a row; empty if it is a row.
std::string ProblemOf(const Document& document, const FieldPaths& fields,
                      const std::optional<std::string>& weight) {
  if (!document.has_id || document.id.empty()) {
    return fmt::format("field \"{}\" is missing or empty, expected a value to group by ($<by>)",
                       fields.id);
  }
  if (document.null_text || document.text.empty()) {
    return fmt::format("field \"{}\" is null or empty, expected an item ($<item>)", fields.text);
  }
  if (weight) return {};
  return fmt::format("field \"{}\" has no number, expected a weight ($<weight>)", fields.keep);
}

void AddRow(const Document& document, std::string_view weight, BatchRows* rows) {
  const XXH128_hash_t hash = XXH3_128bits(document.id.data(), document.id.size());
  rows->keys.push_back({hash.low64, hash.high64, rows->keys.size()});
  rows->sizes.push_back({static_cast<uint32_t>(document.id.size()),
                         static_cast<uint32_t>(document.text.size()),
                         static_cast<uint32_t>(weight.size())});
  rows->bytes += document.id;
  rows->bytes += document.text;
  rows->bytes += weight;
}

BatchRows MakeRows(const FieldPaths& fields, PassItem item) {
  BatchRows rows;
  rows.source = item.batch.source;
  rows.end_of_source = item.end_of_source;
  rows.bad = std::move(item.bad);
  rows.rejections = std::move(item.batch.rejections);
  for (Rejection& rejection : rows.rejections) rejection.raw = {};  // the batch owns the bytes
  const auto readable = static_cast<ptrdiff_t>(rows.rejections.size());
  for (const Document& document : item.batch.documents) {
    const auto weight = fields.keep.empty() ? std::string() : WeightText(document.keep_field);
    std::string problem = ProblemOf(document, fields, weight);
    if (problem.empty()) {
      AddRow(document, *weight, &rows);
    } else {
      rows.rejections.push_back({document.row, std::move(problem), {}, -1});
    }
  }
  std::inplace_merge(rows.rejections.begin(), rows.rejections.begin() + readable,
                     rows.rejections.end(),
                     [](const Rejection& a, const Rejection& b) { return a.row < b.row; });
  return rows;
}

/// A collector of the rows of batches, in input order.
class RowCollector {
 public:
  RowCollector(const Job& job, const Observer& observer, Workspace* workspace)
      : job_(job),
        observer_(observer),
        keys_(&workspace->store(), workspace->memory().work / 2),
        writer_(workspace->store().Temporary(kRowStreams)) {}

  Status Take(BatchRows rows) {
    LOOKALIKE_RETURN_IF_ERROR(Reject(rows));
    for (KeyedRow& key : rows.keys) {
      key.row += rows_;
      LOOKALIKE_RETURN_IF_ERROR(keys_.Add(key));
    }
    LOOKALIKE_RETURN_IF_ERROR(writer_->Append(kRowSizes, std::as_bytes(std::span(rows.sizes))));
    LOOKALIKE_RETURN_IF_ERROR(writer_->Append(kRowBytes, std::as_bytes(std::span(rows.bytes))));
    rows_ += rows.keys.size();
    if (rows.end_of_source) EndSource(rows);
    return {};
  }

  Result<Sorted<KeyedRow>> Finish(RunPointer* run, RecordCounts* records) {
    LOOKALIKE_ASSIGN_OR_RETURN(*run, writer_->Finish());
    *records = records_;
    records->left_out_inputs = job_.left_out.count();
    return keys_.Finish();
  }

  /// True if the row is from an input that was skipped.
  [[nodiscard]] bool IsSkipped(uint64_t row) const {
    const auto after =
        std::upper_bound(skipped_.begin(), skipped_.end(), row,
                         [](uint64_t at, const auto& range) { return at < range.second; });
    return after != skipped_.end() && row >= after->first;
  }

 private:
  Status Reject(const BatchRows& rows) {
    for (const Rejection& rejection : rows.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(TakeRejection(job_, observer_, rows.source, rejection,
                                              records_.rejected + ++rejected_here_));
    }
    return {};
  }

  void EndSource(const BatchRows& rows) {
    if (rows.bad) {
      TakeSkipped(observer_, rows.bad, &records_);
      if (rows_ > first_here_) skipped_.emplace_back(first_here_, rows_);
    } else {
      records_.in += rows_ - first_here_ + rejected_here_;
      records_.rejected += rejected_here_;
    }
    first_here_ = rows_;
    rejected_here_ = 0;
  }

  const Job& job_;
  const Observer& observer_;
  Sorter<KeyedRow> keys_;
  std::unique_ptr<RunWriter> writer_;
  RecordCounts records_;
  uint64_t rows_ = 0;
  uint64_t first_here_ = 0, rejected_here_ = 0;         // of the current input
  std::vector<std::pair<uint64_t, uint64_t>> skipped_;  // first row, end; ascending
};

/// Returns each row that was not skipped, with its group, in row order.
Result<Sorted<RowGroup>> FindGroups(Sorted<KeyedRow> keys, const RowCollector& collector,
                                    Workspace* workspace) {
  Sorter<RowGroup> groups(&workspace->store(), workspace->memory().work / 2);
  std::optional<KeyedRow> first;
  while (const KeyedRow* key = keys.Next()) {
    if (collector.IsSkipped(key->row)) continue;
    const bool same = first && first->low == key->low && first->high == key->high;
    if (!same) first = *key;
    LOOKALIKE_RETURN_IF_ERROR(groups.Add({key->row, first->row}));
  }
  LOOKALIKE_RETURN_IF_ERROR(keys.status());
  return groups.Finish();
}

/// A reader of a stream of a run, from front to back.
class ByteReader {
 public:
  ByteReader(RunPointer run, uint32_t stream) : run_(std::move(run)), stream_(stream) {}

  /// Appends the next `count` bytes.
  Status Read(uint64_t count, std::string* out) {
    while (count > 0) {
      if (at_ == buffer_.size()) LOOKALIKE_RETURN_IF_ERROR(Fill());
      const size_t some = std::min<uint64_t>(count, buffer_.size() - at_);
      if (some == 0) return EndedEarly({}, "the bytes of the rows");
      out->append(reinterpret_cast<const char*>(buffer_.data()) + at_, some);
      at_ += some;
      count -= some;
    }
    return {};
  }

 private:
  Status Fill() {
    constexpr uint64_t kBuffer = uint64_t{256} << 10;
    buffer_.resize(std::min(kBuffer, run_->bytes(stream_) - offset_));
    at_ = 0;
    LOOKALIKE_RETURN_IF_ERROR(run_->Read(stream_, offset_, buffer_));
    offset_ += buffer_.size();
    return {};
  }

  RunPointer run_;
  uint32_t stream_;
  std::vector<std::byte> buffer_;
  size_t at_ = 0;
  uint64_t offset_ = 0;
};

/// Adds the bytes of one row: the sizes of its fields, then the fields.
Status AddPieces(const RowGroup& row, std::string_view bytes, Sorter<Piece>* pieces) {
  Piece piece{row.first, row.row, 0, 0, {}};
  for (; !bytes.empty(); ++piece.number) {
    piece.size = static_cast<uint32_t>(std::min(bytes.size(), piece.bytes.size()));
    piece.bytes = {};
    std::memcpy(piece.bytes.data(), bytes.data(), piece.size);
    LOOKALIKE_RETURN_IF_ERROR(pieces->Add(piece));
    bytes.remove_prefix(piece.size);
  }
  return {};
}

/// Returns the bytes of all rows that were not skipped, by group.
Result<Sorted<Piece>> SortByGroup(Sorted<RowGroup> groups, const RunPointer& run,
                                  Workspace* workspace) {
  Sorter<Piece> pieces(&workspace->store(), workspace->memory().work / 2);
  RecordReader<RowSizes> sizes({run}, kRowSizes);
  ByteReader bytes(run, kRowBytes);
  const RowGroup* group = groups.Next();
  std::string all, kept;
  for (uint64_t row = 0; group != nullptr; ++row) {
    const RowSizes* const size = sizes.Next();
    if (size == nullptr) return EndedEarly(sizes.status(), "the list of rows");
    all.clear();
    const uint64_t total = uint64_t{size->group} + size->item + size->weight;
    LOOKALIKE_RETURN_IF_ERROR(bytes.Read(total, &all));
    if (group->row != row) continue;
    RowSizes stored = *size;
    const bool begins = group->first == row;
    if (!begins) stored.group = 0;
    kept.assign(reinterpret_cast<const char*>(&stored), sizeof(stored));
    kept.append(all, size->group - stored.group);
    LOOKALIKE_RETURN_IF_ERROR(AddPieces(*group, kept, &pieces));
    group = groups.Next();
  }
  LOOKALIKE_RETURN_IF_ERROR(groups.status());
  return pieces.Finish();
}

GroupedRow ReadRow(std::string_view bytes) {
  RowSizes sizes;
  std::memcpy(&sizes, bytes.data(), sizeof(sizes));
  bytes.remove_prefix(sizeof(sizes));
  // No group has an empty name.
  return {sizes.group > 0, bytes.substr(0, sizes.group), bytes.substr(sizes.group, sizes.item),
          bytes.substr(sizes.group + sizes.item)};
}

Status TakeRows(Sorted<Piece> pieces, const std::function<Status(const GroupedRow&)>& take,
                GroupSummary* summary) {
  std::string bytes;
  const auto finish = [&]() -> Status {
    if (bytes.empty()) return {};
    const GroupedRow row = ReadRow(bytes);
    summary->groups += row.begins_group;
    ++summary->items;
    LOOKALIKE_RETURN_IF_ERROR(take(row));
    bytes.clear();
    return {};
  };
  while (const Piece* piece = pieces.Next()) {
    if (piece->number == 0) LOOKALIKE_RETURN_IF_ERROR(finish());
    bytes.append(piece->bytes.data(), piece->size);
  }
  LOOKALIKE_RETURN_IF_ERROR(pieces.status());
  return finish();
}

}  // namespace

Status GroupRows(const Job& job, const Observer& observer, Workspace* workspace,
                 const std::function<Status(const GroupedRow&)>& take, GroupSummary* summary) {
  PassRange range;
  range.ahead = workspace->memory().ahead;
  PassReader reader(job, nullptr, ReadColumns::kFields, "read", observer, range);
  RowCollector collector(job, observer, workspace);
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader, [&](PassItem item) { return MakeRows(job.fields, std::move(item)); },
      [&](BatchRows rows) { return collector.Take(std::move(rows)); },
      workspace->memory().batches));
  RunPointer run;
  LOOKALIKE_ASSIGN_OR_RETURN(auto keys, collector.Finish(&run, &summary->records));
  LOOKALIKE_ASSIGN_OR_RETURN(auto groups, FindGroups(std::move(keys), collector, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(auto pieces, SortByGroup(std::move(groups), run, workspace));
  run.reset();
  return TakeRows(std::move(pieces), take, summary);
}

}  // namespace lookalike
