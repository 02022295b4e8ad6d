#include "index/rocks/views.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

constexpr size_t kReadAhead = size_t{2} << 20;

class RocksCursor final : public StoreCursor {
 public:
  explicit RocksCursor(std::unique_ptr<rocksdb::Iterator> iterator)
      : iterator_(std::move(iterator)) {}

  void Seek(std::string_view prefix) override {
    prefix_ = prefix;
    iterator_->Seek(rocksdb::Slice(prefix_));
  }
  [[nodiscard]] bool Valid() const override {
    return iterator_->Valid() && iterator_->key().starts_with(prefix_);
  }
  void Next() override { iterator_->Next(); }
  [[nodiscard]] std::string_view Key() const override { return iterator_->key().ToStringView(); }
  [[nodiscard]] std::string_view Value() const override {
    return iterator_->value().ToStringView();
  }
  [[nodiscard]] Status status() const override { return StatusOf(iterator_->status()); }

 private:
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::string prefix_;
};

class RocksView final : public StoreView {
 public:
  explicit RocksView(std::shared_ptr<const Database> database)
      : database_(std::move(database)), snapshot_(database_->db->GetSnapshot()) {
    options_.snapshot = snapshot_;
  }
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;
  ~RocksView() override { database_->db->ReleaseSnapshot(snapshot_); }

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override {
    std::string value;
    const auto status = database_->db->Get(options_, database_->Of(family), key, &value);
    if (status.IsNotFound()) return std::nullopt;
    if (!status.ok()) return ErrorOf(status);
    return value;
  }

  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override {
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    database_->db->MultiGet(options_, database_->Of(family), keys.size(), slices.data(),
                            found.data(), statuses.data());
    std::vector<std::optional<std::string>> values(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      if (!statuses[i].ok()) return ErrorOf(statuses[i]);
      values[i] = found[i].ToString();
    }
    return values;
  }

  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const override {
    rocksdb::ReadOptions options = options_;
    options.total_order_seek = whole;
    options.prefix_same_as_start = !whole;
    if (whole) {
      options.fill_cache = false;
      options.readahead_size = kReadAhead;
    }
    return std::make_unique<RocksCursor>(std::unique_ptr<rocksdb::Iterator>(
        database_->db->NewIterator(options, database_->Of(family))));
  }

 private:
  std::shared_ptr<const Database> database_;
  const rocksdb::Snapshot* snapshot_;
  rocksdb::ReadOptions options_;
};

}  // namespace

Failure ReplacedError() {
  return UsageError("a writer replaced files that it was reading; open the index again");
}

std::unique_ptr<StoreView> ViewOf(std::shared_ptr<const Database> database) {
  return std::make_unique<RocksView>(std::move(database));
}

}  // namespace lookalike
