// Checks that offsets in Arrow data made elsewhere are safe to follow.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_

#include <arrow/status.h>

namespace arrow {
class Array;
}  // namespace arrow

namespace lookalike {

/// Checks that all offsets and indices of a column, including nested columns, stay within its
/// buffers, so that no later step follows a bad offset. Does not check that text is UTF-8. Looks at
/// each row, but not at the content of text.
arrow::Status CheckColumn(const arrow::Array& column);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_
