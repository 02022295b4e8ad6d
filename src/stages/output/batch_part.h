// A part of a batch, for files that end within one.
#ifndef LOOKALIKE_STAGES_OUTPUT_BATCH_PART_H_
#define LOOKALIKE_STAGES_OUTPUT_BATCH_PART_H_

#include <cstddef>

#include "records/document_batch.h"

namespace lookalike {

/// Returns documents `begin` to `end` of a batch, with the rejections and other bytes that come
/// right before each of them; the last part also has those after the last document. Parts that
/// cover a batch hold everything that it holds, once. The result shares the batch's memory.
/// REQUIRES: begin <= end <= batch.documents.size(); no unread lines.
DocumentBatch PartOfBatch(const DocumentBatch& batch, size_t begin, size_t end);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_BATCH_PART_H_
