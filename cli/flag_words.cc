#include "flag_words.h"

#include <fmt/format.h>

#include "lookalike/messages.h"

namespace lookalike::cli {
namespace {

class FlagWords : public MessageWords {
 public:
  [[nodiscard]] std::string Option(const MarkedOption& option) const override {
    return option.value ? fmt::format("--{} {}", option.name, *option.value)
                        : fmt::format("--{}", option.name);
  }

  [[nodiscard]] std::string Call(std::string_view command,
                                 const std::vector<MarkedOption>& options) const override {
    std::string words = fmt::format("`lookalike {}", command);
    for (const MarkedOption& option : options) words += " " + Option(option);
    return words + "`";
  }
};

}  // namespace

std::string InFlags(std::string_view message) { return InWords(message, FlagWords()); }

}  // namespace lookalike::cli
