#include "shard_view.h"

#include <fmt/format.h>

namespace lookalike::cli {

Json ToJson(const ShardStatus& status) {
  Json stages = Json::array();
  for (const ShardStage& stage : status.stages) {
    stages.push_back({{"name", stage.name},
                      {"units", stage.units ? Json(*stage.units) : Json()},
                      {"done", stage.done}});
  }
  return {{"stages", stages}, {"complete", status.complete}};
}

std::string ToText(const ShardStatus& status) {
  std::string text;
  for (const ShardStage& stage : status.stages) {
    const std::string units = stage.units ? fmt::format("{}", *stage.units) : "?";
    text += fmt::format("{:<12} {} of {} units done\n", stage.name, stage.done, units);
  }
  return text;
}

}  // namespace lookalike::cli
