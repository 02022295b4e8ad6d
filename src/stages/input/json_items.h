// Lists and single values of a line of JSON, as text.
#ifndef LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_
#define LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_

#include <simdjson.h>

#include <string>
#include <string_view>

#include "stages/input/block_buffer.h"
#include "stages/input/item_list.h"
#include "stages/input/json_tokens.h"

namespace lookalike {

/// The value at `path`, a field of exactly that name first, then the nested one; of fields of one
/// name the first. By the on-demand parser, which alone can tell how a number is spelled. False
/// where there is none. REQUIRES: nothing was read of `object` yet.
bool FindJsonValue(simdjson::ondemand::object object, std::string_view path,
                   simdjson::ondemand::value* found);

/// Whether the token of a value is a number.
bool IsNumberToken(std::string_view token);

/// A token as it is spelled, without the white space behind it.
std::string_view TrimJsonToken(std::string_view token);

/// Adds the items of an array or object: scalars, pairs [item, number], or members whose values
/// are numbers. What is wrong is the list's problem.
void ReadJsonItems(simdjson::ondemand::value container, ItemList* items);

/// The same of a line that was read as tokens, without saying what is wrong: false then, and where
/// a full parser must decide.
bool ReadPlainItems(JsonTokens::Index container, TextArena* arena, JsonTokens* tokens,
                    ItemList* items);

/// What a token that is a number, true or false is as an item; empty for all others.
std::string ScalarOfToken(std::string_view token);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_JSON_ITEMS_H_
