#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "lookalike/configuration.h"
#include "run/no_exceptions.h"

namespace lookalike {
namespace {

/// Far more than any configuration needs; a larger file must be something else.
constexpr size_t kMostBytes = size_t{1} << 20;

Result<std::string> ReadConfiguration(const std::string& file) {
  const auto failed = [&] {
    return InputError(std::string("cannot be read: ") + std::strerror(errno) + "; check $<config>",
                      file);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                               &std::fclose);
  if (stream == nullptr) return failed();
  std::string text(kMostBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) return failed();
  if (text.size() > kMostBytes) {
    return InputError("is larger than 1 MiB, too large for a configuration; check $<config>", file);
  }
  return text;
}

}  // namespace

Result<Options> LoadOptions(Command command, std::string_view preset, const std::string& file) {
  return WithoutExceptions([&]() -> Result<Options> {
    if (file.empty()) return ResolveOptions(command, preset, "", "");
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadConfiguration(file));
    return ResolveOptions(command, preset, text, file);
  });
}

}  // namespace lookalike
