// The state of a run that tasks do together, as text and as JSON.
#ifndef LOOKALIKE_CLI_SHARD_VIEW_H_
#define LOOKALIKE_CLI_SHARD_VIEW_H_

#include <string>

#include "lookalike/shards.h"
#include "summaries.h"

namespace lookalike::cli {

Json ToJson(const ShardStatus& status);

/// Returns a line per stage, its name first.
std::string ToText(const ShardStatus& status);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SHARD_VIEW_H_
