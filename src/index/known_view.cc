#include "index/known_view.h"

namespace lookalike {
namespace {

/// Begins its search in the store only if the key may be there.
class KnownCursor final : public StoreCursor {
 public:
  KnownCursor(const StoreView& base, const KnownKeys& known, Family family)
      : base_(base), known_(known), family_(family) {}

  void Seek(std::string_view prefix) override {
    is_absent_ = !known_.MayHave(family_, prefix);
    if (is_absent_) return;
    if (!cursor_) cursor_ = base_.Scan(family_, false);
    cursor_->Seek(prefix);
  }
  [[nodiscard]] bool Valid() const override { return !is_absent_ && cursor_->Valid(); }
  void Next() override { cursor_->Next(); }
  [[nodiscard]] std::string_view Key() const override { return cursor_->Key(); }
  [[nodiscard]] std::string_view Value() const override { return cursor_->Value(); }
  [[nodiscard]] Status status() const override { return cursor_ ? cursor_->status() : Status(); }

 private:
  const StoreView& base_;
  const KnownKeys& known_;
  Family family_;
  bool is_absent_ = true;  // the key that was searched for last
  std::unique_ptr<StoreCursor> cursor_;
};

}  // namespace

Status LearnKeys(const StoreView& view, KnownKeys* known) {
  for (const Family family : {Family::kIds, Family::kClasses, Family::kPostings}) {
    const auto cursor = view.Scan(family, true);
    for (cursor->Seek(""); cursor->Valid(); cursor->Next()) known->Add(family, cursor->Key());
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  }
  return {};
}

Result<std::optional<std::string>> KnownView::Get(Family family, std::string_view key) const {
  // Only a whole key of these families is what MayHave() knows.
  if (family == Family::kIds && !known_.MayHave(family, key)) return std::nullopt;
  return base_.Get(family, key);
}

Result<std::vector<std::optional<std::string>>> KnownView::GetMany(
    Family family, std::span<const std::string> keys) const {
  return base_.GetMany(family, keys);
}

std::unique_ptr<StoreCursor> KnownView::Scan(Family family, bool whole) const {
  const bool is_known = family == Family::kClasses || family == Family::kPostings;
  if (whole || !is_known) return base_.Scan(family, whole);
  return std::make_unique<KnownCursor>(base_, known_, family);
}

}  // namespace lookalike
