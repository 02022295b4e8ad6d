// On every instruction set of this machine, against a plain re-implementation.
#include "kernels/unescape.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "isa/forced_isa.h"
#include "kernels/isa.h"

namespace lookalike {
namespace {

std::optional<std::string> Plain(std::string_view in) {
  constexpr std::string_view kEscaped = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
  std::string out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '\\') {
      out += in[i];
      continue;
    }
    const size_t which = ++i < in.size() ? kEscaped.find(in[i]) : kEscaped.npos;
    if (which == kEscaped.npos) return {};
    out += kMeaning[which];
  }
  return out;
}

std::optional<std::string> Unescaped(const std::string& in) {
  std::string from = in, to(in.size() + kUnescapeRoom, '\xAA');
  from.append(kUnescapeRoom, '\\');  // must not be read
  const auto made = UnescapeShort(from.data(), in.size(), to.data());
  if (!made) return {};
  return to.substr(0, *made);
}

TEST(UnescapeShortTest, EqualsThePlainLoopOnEveryInstructionSet) {
  std::mt19937_64 random(1);
  size_t failed = 0;
  for (int turn = 0; turn < 5'000; ++turn) {
    std::string in;
    // From text without escapes to nothing but backslashes.
    const uint64_t dense = 1 + random() % 60;
    while (in.size() < random() % 400) {
      if (random() % dense != 0) {
        in += static_cast<char>(random() % 200 + 30);
        if (in.back() == '\\') in += '\\';
      } else {
        in += '\\';
        in += "\"\\/bfnrt"[random() % 8];
      }
    }
    if (turn % 4 == 0 && !in.empty()) in[random() % in.size()] = "\\ux"[random() % 3];
    const std::optional<std::string> expected = Plain(in);
    failed += !expected.has_value();
    for (const std::string& name : IsaNames()) {
      const ForcedIsa forced(name);
      ASSERT_EQ(Unescaped(in), expected) << name << ": " << in;
    }
  }
  EXPECT_GT(failed, 200u);
  EXPECT_LT(failed, 3'000u);
}

TEST(UnescapeShortTest, EscapesAcrossBlocks) {
  for (size_t before = 0; before < 140; ++before) {
    for (const std::string escape : {"\\n", "\\\\", "\\\\\\\"", "\\u", "\\"}) {
      const std::string in = std::string(before, 'a') + escape;
      EXPECT_EQ(Unescaped(in), Plain(in)) << before << escape;
      EXPECT_EQ(Unescaped(in + "tail"), Plain(in + "tail")) << before << escape;
    }
  }
}

}  // namespace
}  // namespace lookalike
