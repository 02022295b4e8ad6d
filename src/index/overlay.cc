#include "index/overlay.h"

#include <optional>
#include <utility>

namespace lookalike {
namespace {

/// Merges the keys of a cursor with those of a batch, which count where both have a key.
class OverlayCursor final : public StoreCursor {
 public:
  OverlayCursor(std::unique_ptr<StoreCursor> base, const Changes& changes)
      : base_(std::move(base)), changes_(changes), place_(changes.end()) {}

  void Seek(std::string_view prefix) override {
    prefix_ = prefix;
    base_->Seek(prefix_);
    GoTo(changes_.LowerBound(prefix_));
    PassRemoved();
  }
  [[nodiscard]] bool Valid() const override { return change_ || base_->Valid(); }
  void Next() override {
    if (AtChange()) {
      PassChange();
    } else {
      base_->Next();
    }
    PassRemoved();
  }
  [[nodiscard]] std::string_view Key() const override {
    return AtChange() ? change_->key : base_->Key();
  }
  [[nodiscard]] std::string_view Value() const override {
    return AtChange() ? *change_->value : base_->Value();
  }
  [[nodiscard]] Status status() const override { return base_->status(); }

 private:
  void GoTo(Changes::Place place) {
    place_ = place;
    change_.reset();
    if (place_ == changes_.end()) return;
    if (const Change change = *place_; change.key.starts_with(prefix_)) change_ = change;
  }
  /// True if the current key is that of a change.
  [[nodiscard]] bool AtChange() const {
    return change_ && (!base_->Valid() || change_->key <= base_->Key());
  }
  void PassChange() {
    if (base_->Valid() && base_->Key() == change_->key) base_->Next();
    GoTo(++place_);
  }
  void PassRemoved() {
    while (AtChange() && !change_->value) PassChange();
  }

  std::unique_ptr<StoreCursor> base_;
  const Changes& changes_;
  Changes::Place place_;
  std::optional<Change> change_;  // at the place, if it has the prefix
  std::string prefix_;
};

std::optional<std::string> ValueOf(const Change& change) {
  if (!change.value) return std::nullopt;
  return std::string(*change.value);
}

}  // namespace

Result<std::optional<std::string>> OverlayView::Get(Family family, std::string_view key) const {
  const auto change = batch_.Of(family).Find(key);
  return change ? ValueOf(*change) : base_.Get(family, key);
}

Result<std::vector<std::optional<std::string>>> OverlayView::GetMany(
    Family family, std::span<const std::string> keys) const {
  const Changes& changes = batch_.Of(family);
  std::vector<std::optional<std::string>> values(keys.size());
  std::vector<std::string> others;
  std::vector<size_t> places;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (const auto change = changes.Find(keys[i])) {
      values[i] = ValueOf(*change);
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
