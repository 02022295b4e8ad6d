// A store as it will be after a batch of changes.
#ifndef LOOKALIKE_INDEX_OVERLAY_H_
#define LOOKALIKE_INDEX_OVERLAY_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/store.h"

namespace lookalike {

class OverlayView final : public StoreView {
 public:
  /// Both outlive the view. The batch must not change while a cursor is in use.
  OverlayView(const StoreView& base, const StoreBatch& batch) : base_(base), batch_(batch) {}

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override;
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override;
  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const override;

 private:
  const StoreView& base_;
  const StoreBatch& batch_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_OVERLAY_H_
