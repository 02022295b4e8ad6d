// Objects of a store that are read in place, by ranges.
#ifndef LOOKALIKE_IO_OBJECT_INPUT_H_
#define LOOKALIKE_IO_OBJECT_INPUT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "io/object_store.h"
#include "io/remote_input.h"
#include "lookalike/status.h"

namespace lookalike {

/// One object. It is an Error if it has another size when it is opened than when it was listed, or
/// another version (ETag, generation) than when it was first opened. CheckUnchanged() also compares
/// its time. Reads that fail are repeated as the store's RetryPolicy says.
class ObjectInput final : public RemoteInput, public std::enable_shared_from_this<ObjectInput> {
 public:
  /// `object`: as it was listed.
  static std::shared_ptr<const ObjectInput> Make(const ObjectStore& store,
                                                 const StoredObject& object) {
    return std::shared_ptr<const ObjectInput>(new ObjectInput(store, object));
  }

  [[nodiscard]] Result<std::shared_ptr<const RandomAccessFile>> Open() const override;
  [[nodiscard]] Status CheckUnchanged() const override;
  [[nodiscard]] std::optional<Error> failure() const override;

 private:
  class File;

  ObjectInput(const ObjectStore& store, const StoredObject& object)
      : store_(store), object_(object), place_(store.uri.Name(object.path)) {}

  [[nodiscard]] Error Keep(Error error) const;
  [[nodiscard]] tl::unexpected<Error> FailStore(const arrow::Status& status) const;
  [[nodiscard]] tl::unexpected<Error> FailChanged() const;
  [[nodiscard]] tl::unexpected<Error> Explain(const arrow::Status& status) const;
  [[nodiscard]] Status CheckListed() const;
  [[nodiscard]] bool HasVersion() const;
  [[nodiscard]] Status CheckVersion(const std::string& version) const;

  ObjectStore store_;
  StoredObject object_;
  std::string place_;
  mutable std::atomic<uint64_t> requests_ = 0;  ///< For bytes.
  mutable std::mutex mutex_;
  mutable std::optional<std::string> version_;  ///< Set when it was first opened.
  mutable std::optional<Error> failure_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_INPUT_H_
