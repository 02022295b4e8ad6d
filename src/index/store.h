// An ordered store of keys and values in families, with atomic and durable batches. RocksDB is
// behind it, in a library of its own, which is loaded when the first store is opened.
#ifndef LOOKALIKE_INDEX_STORE_H_
#define LOOKALIKE_INDEX_STORE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/changes.h"
#include "index/family.h"
#include "index/known_keys.h"
#include "lookalike/status.h"

namespace lookalike {

/// Changes that are stored together. A later one of the same key counts.
class StoreBatch {
 public:
  /// Its keys are known from now on to `known`, which outlives it. Null: to none.
  void LearnBy(KnownKeys* known) { known_ = known; }

  void Put(Family family, std::string_view key, std::string_view value) {
    if (known_ != nullptr) known_->Add(family, key);
    changes_[static_cast<size_t>(family)].Put(key, value);
  }
  void Remove(Family family, std::string_view key) {
    changes_[static_cast<size_t>(family)].Remove(key);
  }
  [[nodiscard]] const Changes& Of(Family family) const {
    return changes_[static_cast<size_t>(family)];
  }
  /// Returns how many bytes the changes have.
  [[nodiscard]] size_t bytes() const {
    size_t sum = 0;
    for (const Changes& changes : changes_) sum += changes.bytes();
    return sum;
  }
  /// Forgets all changes, and keeps memory for the next ones.
  void Clear() {
    for (Changes& changes : changes_) changes.Clear();
  }

 private:
  std::array<Changes, kFamilyCount> changes_;
  KnownKeys* known_ = nullptr;
};

/// A place among the keys of a family.
class StoreCursor {
 public:
  virtual ~StoreCursor() = default;

  /// Goes to the first key with this prefix. For kPostings a prefix is empty, or has at least
  /// kPostingPrefix bytes.
  virtual void Seek(std::string_view prefix) = 0;
  /// False behind the last key with the prefix, and after an error.
  [[nodiscard]] virtual bool Valid() const = 0;
  virtual void Next() = 0;
  [[nodiscard]] virtual std::string_view Key() const = 0;
  [[nodiscard]] virtual std::string_view Value() const = 0;
  [[nodiscard]] virtual Status status() const = 0;
};

/// The state of a store at one moment.
class StoreView {
 public:
  virtual ~StoreView() = default;

  [[nodiscard]] virtual Result<std::optional<std::string>> Get(Family family,
                                                               std::string_view key) const = 0;
  /// Returns the values of many keys.
  [[nodiscard]] virtual Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const = 0;
  /// `whole`: all keys are passed by once, so that they need not stay in memory.
  [[nodiscard]] virtual std::unique_ptr<StoreCursor> Scan(Family family, bool whole) const = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  [[nodiscard]] virtual std::unique_ptr<StoreView> View() const = 0;
  /// Makes changes, in one step. They can be read at once, and are durable after Sync().
  virtual Status Write(const StoreBatch& batch) = 0;
  /// Makes all changes durable that were written before. Threads that call it at the same time
  /// share the work, which is most of that of a small batch. After an Error nothing can be written
  /// any more: nobody knows what the disk has.
  virtual Status Sync() = 0;
  /// Makes changes, in one step, which are durable when it returns. For large batches: as sorted
  /// files, which neither the log nor memory holds. Costs less from a few thousand documents on.
  virtual Status WriteFiles(const StoreBatch& batch) = 0;
  /// Between Begin and End the files of large batches are merged less often, which is most of the
  /// cost of very many of them; End waits until they are merged.
  virtual Status BeginFiles() = 0;
  virtual Status EndFiles() = 0;
  /// Rewrites every file without what was removed, and goes on in the folder `into`, which does not
  /// exist, once `replace` has made it the place of the store. The folder before is removed when
  /// its last view ends. REQUIRES: nobody writes meanwhile.
  virtual Status Compact(const std::string& into, const std::function<Status()>& replace) = 0;
  /// Makes a copy in a folder that does not exist.
  virtual Status Copy(const std::string& folder) const = 0;
  /// Compares every file with the checksum that was noted when it was written.
  virtual Status CheckFiles() const = 0;
};

enum class StoreMode : uint8_t { kCreate, kRead, kWrite };

/// Opens the store in a folder. Returns an Error of code kUsage if another process writes to it.
/// `cache`: bytes of its files that stay in memory, about.
Result<std::unique_ptr<Store>> OpenStore(const std::string& folder, StoreMode mode, uint64_t cache);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_STORE_H_
