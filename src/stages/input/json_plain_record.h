// The record of a plain line of JSON, out of its tokens.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_

#include <optional>
#include <string_view>

#include "flow/input_file.h"
#include "stages/input/block_buffer.h"
#include "stages/input/item_list.h"
#include "stages/input/json_record.h"
#include "stages/input/json_tokens.h"

namespace lookalike {

/// The record of the line that was read as tokens; nothing where a full parser must decide.
/// `items` is for lists.
std::optional<JsonRecord> ReadPlainRecord(const FieldPaths& fields, TextArena* arena,
                                          JsonTokens* tokens, ItemList* items);

/// What NaN or an infinity is as something to order by: a NaN has no order.
FieldValue NonFiniteValue(std::string_view token);

/// The nearest double of a JSON number, an infinity or 0 where it is out of range: unlike strtod,
/// without regard to the locale.
double RealOfToken(std::string_view token);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_
