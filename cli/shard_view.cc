#include "shard_view.h"

#include <fmt/format.h>

namespace lookalike::cli {

Json ToJson(const ShardStatus& status) { return Json::parse(StatusJson(status)); }

std::string ToText(const ShardStatus& status) {
  std::string text;
  for (const ShardStage& stage : status.stages) {
    const std::string units = stage.units ? fmt::format("{}", *stage.units) : "?";
    text += fmt::format("{:<12} {} of {} units done\n", stage.name, stage.done, units);
  }
  return text;
}

}  // namespace lookalike::cli
