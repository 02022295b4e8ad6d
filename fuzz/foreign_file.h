// Bytes of the fuzzer as a file that the readers can open.
#ifndef LOOKALIKE_FUZZ_FOREIGN_FILE_H_
#define LOOKALIKE_FUZZ_FOREIGN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "records/input_file.h"

namespace lookalike::fuzz {

/// A file in memory; gone with the object.
class ForeignFile {
 public:
  explicit ForeignFile(std::string_view bytes);
  ~ForeignFile();
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Returns the facts that a reader needs about it.
  [[nodiscard]] InputFile AsInput(const std::string& name, Format format, Codec codec) const;

 private:
  int descriptor_;
  std::string path_;
  uint64_t size_;
};

/// Returns a number below `end` that depends only on the bytes: targets choose block sizes and the
/// like this way, so that their seeds are plain files. `choice` distinguishes the choices for one
/// input.
uint64_t Choose(std::string_view bytes, uint64_t choice, uint64_t end);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_FOREIGN_FILE_H_
