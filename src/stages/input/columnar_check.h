// Whether Arrow data can be followed: a check of data that somebody else made.
#ifndef LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_
#define LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_

#include <arrow/status.h>

namespace arrow {
class Array;
}  // namespace arrow

namespace lookalike {

/// Whether all offsets and indices of a column stay within its buffers, nested ones included, so
/// that no later step follows a bad one. Text that is not UTF-8 is none of this check's business.
/// It looks at each row, but not at what the text says.
arrow::Status CheckColumn(const arrow::Array& column);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_COLUMNAR_CHECK_H_
