#include "lookalike/messages.h"

#include <gtest/gtest.h>

#include "lookalike/status.h"

namespace lookalike {
namespace {

TEST(Messages, MarksBecomePlainWords) {
  EXPECT_EQ(InPlainWords("give $<method=exact> or $<threshold>"), "give method=exact or threshold");
  EXPECT_EQ(InPlainWords("$<text-field='a b'> is empty"), "text-field='a b' is empty");
  EXPECT_EQ(InPlainWords("use $(pairs measure=containment seed)."),
            "use `lookalike pairs` with measure=containment and seed.");
  EXPECT_EQ(InPlainWords("use $(dedup)"), "use `lookalike dedup`");
}

// A value in quotes may hold the character that ends a mark; what a user typed ends with the quote.
TEST(Messages, QuotedValuesEndAtTheirQuote) {
  EXPECT_EQ(InPlainWords("$<shingle='a>b'> is"), "shingle='a>b' is");
  EXPECT_EQ(InPlainWords("$<shingle='it's'> is"), "shingle='it's' is");
  EXPECT_EQ(InPlainWords("$<shingle=''> is"), "shingle='' is");
  EXPECT_EQ(InPlainWords("$<a='>b'>"), "a='>b'");
}

TEST(Messages, OtherTextStaysAsItIs) {
  for (const char* const text :
       {"", "$", "$<", "$(", "a$b", "$<>", "$<A>", "$<a", "$<a='b>", "$<a='>", "$<a b>", "$()",
        "$(Dedup)", "$(dedup", "costs $5 <or> (more)"}) {
    EXPECT_EQ(InPlainWords(text), text);
    EXPECT_TRUE(MarkedOptions(text).empty()) << text;
  }
  EXPECT_EQ(InPlainWords("$<$<seed>"), "$<seed");
  EXPECT_EQ(InPlainWords("$$<seed>"), "$seed");
}

TEST(Messages, MarkedOptionsAreInOrderAndOnce) {
  EXPECT_EQ(MarkedOptions("$<seed> at $<recall=0.9>, $<seed=1> and $(pairs method=exact)"),
            (std::vector<std::string>{"seed", "recall"}));
}

TEST(Status, EachErrorHasItsCode) {
  EXPECT_EQ(UsageError("a").value().code, ErrorCode::kUsage);
  EXPECT_EQ(InputError("a").value().code, ErrorCode::kInput);
  EXPECT_EQ(CorruptError("a").value().code, ErrorCode::kCorrupt);
  EXPECT_EQ(MemoryError("a").value().code, ErrorCode::kMemory);
  EXPECT_EQ(DiskError("a").value().code, ErrorCode::kDisk);
  EXPECT_EQ(BugError("a").value().code, ErrorCode::kBug);
  EXPECT_EQ(Cancelled().value().code, ErrorCode::kCancelled);
  const char* const names[] = {"usage",  "option", "input",     "corrupt",
                               "memory", "disk",   "cancelled", "bug"};
  for (const ErrorCode code :
       {ErrorCode::kUsage, ErrorCode::kOption, ErrorCode::kInput, ErrorCode::kCorrupt,
        ErrorCode::kMemory, ErrorCode::kDisk, ErrorCode::kCancelled, ErrorCode::kBug}) {
    EXPECT_EQ(NameOf(code), names[static_cast<size_t>(code)]);
  }
}

TEST(Status, AnOptionErrorNamesItsOption) {
  const Error error = OptionError("$<design=grid> is for $<distance>", "a.toml:3").value();
  EXPECT_EQ(error.code, ErrorCode::kOption);
  EXPECT_EQ(error.option, "design");
  EXPECT_EQ(error.ToString(), "a.toml:3: design=grid is for distance");
  EXPECT_EQ(error.Marked(), "a.toml:3: $<design=grid> is for $<distance>");
  EXPECT_EQ(OptionError("no mark").value().option, "");
}

TEST(Status, AnErrorMovesToAnotherPlace) {
  const Error error = AtPlace(CorruptError("cut off", "a").value(), "b").value();
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.ToString(), "b: cut off");
  EXPECT_EQ(InputError("gone").value().ToString(), "lookalike: gone");
}

}  // namespace
}  // namespace lookalike
