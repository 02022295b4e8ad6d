// Takes parts out of the texts of records, and leaves everything else as it is.
#ifndef LOOKALIKE_USES_PASSAGES_SHORTEN_H_
#define LOOKALIKE_USES_PASSAGES_SHORTEN_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "records/document_batch.h"
#include "records/input_file.h"
#include "stages/passages/cut_plan.h"

namespace lookalike {

/// The parts of one document of a batch that go.
struct DocumentCuts {
  size_t document = 0;  ///< Its index in the batch.
  std::span<const TextCut> cuts;
};

/// Replaces the texts of documents in `batch`, which has all their columns, by what is left of
/// them. In text formats all other bytes of the record stay, and so does the way in which the rest
/// of the text is escaped or quoted; in columnar formats the column gets new values. `like`: the
/// batch's input. `cuts`: by document.
Status ShortenTexts(const InputFile& like, const FieldPaths& fields,
                    std::span<const DocumentCuts> cuts, DocumentBatch* batch);

/// Returns a text without some parts of it, by place.
std::string WithoutParts(std::string_view text, std::span<const TextCut> cuts);

/// Returns a line of JSON in which the string at `path` lacks some bytes of its value. Returns an
/// Error if the line has no such string.
Result<std::string> ShortenJson(std::string_view line, std::string_view path,
                                std::span<const TextCut> cuts);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_SHORTEN_H_
