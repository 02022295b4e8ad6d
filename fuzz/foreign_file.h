// Bytes of the fuzzer as a file that the readers can open.
#ifndef LOOKALIKE_FUZZ_FOREIGN_FILE_H_
#define LOOKALIKE_FUZZ_FOREIGN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "flow/input_file.h"

namespace lookalike::fuzz {

/// A file in memory; gone with the object.
class ForeignFile {
 public:
  explicit ForeignFile(std::string_view bytes);
  ~ForeignFile();
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// What a reader needs to know of it.
  [[nodiscard]] InputFile AsInput(const std::string& name, Format format, Codec codec) const;

 private:
  int descriptor_;
  std::string path_;
  uint64_t size_;
};

/// A number below `end` that depends on the bytes alone: how a target chooses block sizes and the
/// like, so that its seeds are plain files. `choice` tells the choices of one input apart.
uint64_t Choose(std::string_view bytes, uint64_t choice, uint64_t end);

}  // namespace lookalike::fuzz

#endif  // LOOKALIKE_FUZZ_FOREIGN_FILE_H_
