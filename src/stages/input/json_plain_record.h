// Makes the record of a plain line of JSON from its tokens.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_

#include <optional>
#include <string_view>

#include "records/input_file.h"
#include "stages/input/block_buffer.h"
#include "stages/input/item_list.h"
#include "stages/input/json_record.h"
#include "stages/input/json_tokens.h"

namespace lookalike {

/// Returns the record of the line that was read as tokens, or nothing if a full parser must decide.
/// `items` is for lists.
std::optional<JsonRecord> ReadPlainRecord(const FieldPaths& fields, TextArena* arena,
                                          JsonTokens* tokens, ItemList* items);

/// Returns NaN or an infinity as a sort key: a NaN has no order.
FieldValue NonFiniteValue(std::string_view token);

/// Returns the double nearest to a JSON number; an infinity or 0 if it is out of range. Unlike
/// strtod, it does not depend on the locale.
double RealOfToken(std::string_view token);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_PLAIN_RECORD_H_
