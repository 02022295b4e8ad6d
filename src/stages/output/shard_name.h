// Names of the files that an input's records are written to if they are cut into shards.
#ifndef LOOKALIKE_STAGES_OUTPUT_SHARD_NAME_H_
#define LOOKALIKE_STAGES_OUTPUT_SHARD_NAME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lookalike {

/// Returns the name of shard `number`, from 0, of `count`: "a/b.jsonl.zst" becomes
/// "a/b-00000-of-00012.jsonl.zst". Only endings of known formats and codecs come after the number,
/// so different inputs never have shards of the same name.
std::string ShardName(std::string_view name, uint64_t number, uint64_t count);

/// Returns the name of an input that has shards of this name; nothing if no input has.
std::optional<std::string> NameOfShard(std::string_view shard);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_SHARD_NAME_H_
