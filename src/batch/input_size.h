// How much the inputs hold, as far as that shows without reading them.
#ifndef LOOKALIKE_BATCH_INPUT_SIZE_H_
#define LOOKALIKE_BATCH_INPUT_SIZE_H_

#include <cstdint>
#include <vector>

#include "flow/input_list.h"

namespace lookalike {

/// True if an input is compressed, as a whole or in parts.
bool IsPacked(const InputFile& file);

struct InputSizes {
  std::vector<uint64_t> plain_bytes;  ///< By input: its bytes when decompressed.
  uint64_t documents = 0;             ///< Of all inputs together.

  [[nodiscard]] uint64_t AllBytes() const;
};

/// Estimates what the inputs hold, so that the same rows give about the same numbers however they
/// are packed. Parquet and Arrow files and tables in memory say how many rows they have, and a file
/// of text or HTML is one document. Of lines, some are counted at several places of the file; of
/// compressed files some are decoded from the front, to see how much larger they become as well.
/// Of very many inputs some are looked at, chosen by size, and stand for the others. The result is
/// a function of the inputs alone. `sketch_bytes`: the bytes of a document in a sketch file.
InputSizes EstimateSizes(const InputList& inputs, const FieldPaths& fields,
                         const ReadLimits& limits, uint64_t sketch_bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_INPUT_SIZE_H_
