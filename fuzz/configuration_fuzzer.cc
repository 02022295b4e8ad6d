// A configuration file.
#include "laws.h"
#include "lookalike/configuration.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto options = ResolveOptions(Command::kDedup, "", text, "options.toml");
  if (options) {
    for (const OptionRow& row : OptionTable()) {
      Options again = *options;
      const std::string value = OptionText(row, *options);
      if (row.IsList() || value.empty()) continue;
      fuzz::Require(SetOption(row, value, &again).has_value(), "what was accepted is accepted");
    }
  } else {
    fuzz::Require(!options.error().what.empty(), "an error says what is wrong");
  }
  return 0;
}
