// Estimates how much the inputs hold, as far as possible without reading them whole.
#ifndef LOOKALIKE_RUN_INPUT_SIZE_H_
#define LOOKALIKE_RUN_INPUT_SIZE_H_

#include <cstdint>
#include <vector>

#include "records/input_list.h"

namespace lookalike {

/// True if an input is compressed, as a whole or in parts.
bool IsPacked(const InputFile& file);

struct InputSizes {
  std::vector<uint64_t> plain_bytes;  ///< By input: its bytes when decompressed.
  uint64_t documents = 0;             ///< In all inputs together.

  [[nodiscard]] uint64_t AllBytes() const;
};

/// Estimates the size of the inputs, so that the same rows give similar estimates in any format and
/// compression. Parquet and Arrow files and tables in memory say how many rows they have, and a
/// text or HTML file is one document. In files of lines, lines are counted at several places;
/// compressed files are decoded in part, from the front, which also shows how much larger they
/// become. If there are very many inputs, only some are examined, chosen by size, and the others
/// are assumed to be like them. The result is a function of the inputs alone. `sketch_bytes`: the
/// bytes of a document in a sketch file.
InputSizes EstimateSizes(const InputList& inputs, const FieldPaths& fields,
                         const ReadLimits& limits, uint64_t sketch_bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_INPUT_SIZE_H_
