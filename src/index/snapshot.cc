#include "index/snapshot.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

/// One more owner of a view.
class SharedView final : public StoreView {
 public:
  explicit SharedView(std::shared_ptr<const StoreView> view) : view_(std::move(view)) {}

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override {
    return view_->Get(family, key);
  }
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override {
    return view_->GetMany(family, keys);
  }
  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const override {
    return view_->Scan(family, whole);
  }

 private:
  std::shared_ptr<const StoreView> view_;
};

class Snapshot final : public Store {
 public:
  explicit Snapshot(std::unique_ptr<StoreView> view) : view_(std::move(view)) {}

  [[nodiscard]] std::unique_ptr<StoreView> View() const override {
    return std::make_unique<SharedView>(view_);
  }
  Status Write(const StoreBatch&) override { return Refused(); }
  Status Sync() override { return Refused(); }
  Status WriteFiles(const StoreBatch&) override { return Refused(); }
  Status BeginFiles() override { return Refused(); }
  Status EndFiles() override { return Refused(); }
  Status Compact(const std::string&, const std::function<Status()>&) override { return Refused(); }
  Status Copy(const std::string&) const override { return Refused(); }
  Status CheckFiles() const override { return Refused(); }

 private:
  static Status Refused() {
    return UsageError("a snapshot has no files of its own; use the index that it was taken of");
  }

  std::shared_ptr<const StoreView> view_;
};

}  // namespace

std::unique_ptr<Store> StoreOf(std::unique_ptr<StoreView> view) {
  return std::make_unique<Snapshot>(std::move(view));
}

}  // namespace lookalike
