// Reads lists and single values of a line of JSON as text.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_
#define LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_

#include <simdjson.h>

#include <string>
#include <string_view>

#include "stages/input/block_buffer.h"
#include "stages/input/item_list.h"
#include "stages/input/json_tokens.h"

namespace lookalike {

/// Finds the value at `path`: a field of exactly that name first, then the nested one; among fields
/// with the same name, the first. Uses the on-demand parser, the only one that shows how a number
/// is written. Returns false if there is no such value. REQUIRES: nothing has been read from
/// `object` yet.
bool FindJsonValue(simdjson::ondemand::object object, std::string_view path,
                   simdjson::ondemand::value* found);

/// True if the token of a value is a number.
bool IsNumberToken(std::string_view token);

/// Returns a token as spelled, without the white space after it.
std::string_view TrimJsonToken(std::string_view token);

/// Adds the items of an array or object: scalars, pairs [item, number], or members whose values are
/// numbers. Defects become the list's problem.
void ReadJsonItems(simdjson::ondemand::value container, ItemList* items);

/// Does the same for a line that was read as tokens. Returns false, without naming a defect, if the
/// list is invalid or a full parser must decide.
bool ReadPlainItems(JsonTokens::Index container, TextArena* arena, JsonTokens* tokens,
                    ItemList* items);

/// Returns a number, true or false token as an item; empty for all others.
std::string ScalarOfToken(std::string_view token);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_
