// The stored bytes of an input: a file on this machine, or an object that is read in place.
#ifndef LOOKALIKE_IO_INPUT_BYTES_H_
#define LOOKALIKE_IO_INPUT_BYTES_H_

#include <arrow/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "io/open_file.h"
#include "io/remote_input.h"
#include "lookalike/status.h"
#include "records/input_file.h"
#include "records/input_list.h"

namespace arrow::io {
class RandomAccessFile;
}

namespace lookalike {

/// The bytes of an input that is open for reading, in order or at any offset. Movable; to be used
/// from one thread.
class InputBytes {
 public:
  /// `place` names the input in errors.
  InputBytes(OpenFile file, std::string place)
      : bytes_(std::move(file)), place_(std::move(place)) {}
  InputBytes(RemoteReader remote, std::string place)
      : bytes_(std::move(remote)), place_(std::move(place)) {}

  /// Fills `out` with the next bytes; returns fewer only at the end.
  Result<size_t> Read(char* out, size_t capacity);

  /// Fills `out` from `offset` on; returns fewer bytes only at the end. The position of Read() does
  /// not change.
  Result<size_t> ReadAt(uint64_t offset, char* out, size_t capacity) const;

  /// Continues Read() at `offset`, which is at most size().
  void Seek(uint64_t offset);

  /// Says that the input will be read in order, up to about the offset `until`.
  void ExpectInOrder(uint64_t until = UINT64_MAX);

  [[nodiscard]] uint64_t size() const;
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::variant<OpenFile, RemoteReader> bytes_;
  std::string place_;
};

/// Opens the bytes of an input that is not a table.
Result<InputBytes> OpenInputBytes(const InputFile& file);

/// Does the same for Arrow's readers.
arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenForArrow(const InputFile& file);

/// Returns why a store did not deliver an input, if that happened: no other Error about it counts.
std::optional<Error> StoreFailure(const InputFile& file);

/// Returns the first such failure among inputs. To be asked after looks at inputs that take one
/// that cannot be read for one that has nothing to say.
Status CheckStores(const InputList& inputs);

/// Returns an Error if an input's size or time of change differs from what it was when found.
Status CheckUnchanged(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_INPUT_BYTES_H_
