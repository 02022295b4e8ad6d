#include "index/overlay.h"

#include <utility>

namespace lookalike {
namespace {

/// Merges the keys of a cursor with those of a batch, which count where both have a key.
class OverlayCursor final : public StoreCursor {
 public:
  OverlayCursor(std::unique_ptr<StoreCursor> base, const StoreBatch::Changes& changes)
      : base_(std::move(base)), changes_(changes), change_(changes.end()) {}

  void Seek(std::string_view prefix) override {
    prefix_ = prefix;
    base_->Seek(prefix_);
    change_ = changes_.lower_bound(prefix_);
    PassRemoved();
  }
  [[nodiscard]] bool Valid() const override { return HasChange() || base_->Valid(); }
  void Next() override {
    if (AtChange()) {
      PassChange();
    } else {
      base_->Next();
    }
    PassRemoved();
  }
  [[nodiscard]] std::string_view Key() const override {
    return AtChange() ? std::string_view(change_->first) : base_->Key();
  }
  [[nodiscard]] std::string_view Value() const override {
    return AtChange() ? std::string_view(*change_->second) : base_->Value();
  }
  [[nodiscard]] Status status() const override { return base_->status(); }

 private:
  [[nodiscard]] bool HasChange() const {
    return change_ != changes_.end() && change_->first.starts_with(prefix_);
  }
  /// True if the current key is that of a change.
  [[nodiscard]] bool AtChange() const {
    return HasChange() && (!base_->Valid() || change_->first <= base_->Key());
  }
  void PassChange() {
    if (base_->Valid() && base_->Key() == change_->first) base_->Next();
    ++change_;
  }
  void PassRemoved() {
    while (AtChange() && !change_->second) PassChange();
  }

  std::unique_ptr<StoreCursor> base_;
  const StoreBatch::Changes& changes_;
  StoreBatch::Changes::const_iterator change_;
  std::string prefix_;
};

}  // namespace

Result<std::optional<std::string>> OverlayView::Get(Family family, std::string_view key) const {
  const StoreBatch::Changes& changes = batch_.Of(family);
  if (const auto change = changes.find(key); change != changes.end()) return change->second;
  return base_.Get(family, key);
}

Result<std::vector<std::optional<std::string>>> OverlayView::GetMany(
    Family family, std::span<const std::string> keys) const {
  const StoreBatch::Changes& changes = batch_.Of(family);
  std::vector<std::optional<std::string>> values(keys.size());
  std::vector<std::string> others;
  std::vector<size_t> places;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (const auto change = changes.find(keys[i]); change != changes.end()) {
      values[i] = change->second;
    } else {
      others.push_back(keys[i]);
      places.push_back(i);
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto found, base_.GetMany(family, others));
  for (size_t i = 0; i < found.size(); ++i) values[places[i]] = std::move(found[i]);
  return values;
}

std::unique_ptr<StoreCursor> OverlayView::Scan(Family family, bool whole) const {
  return std::make_unique<OverlayCursor>(base_.Scan(family, whole), batch_.Of(family));
}

}  // namespace lookalike
