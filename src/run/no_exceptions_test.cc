#include "run/no_exceptions.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace lookalike {
namespace {

TEST(WithoutExceptionsTest, PassesValuesAndErrorsOn) {
  EXPECT_EQ(WithoutExceptions([]() -> Result<int> { return 7; }).value(), 7);
  EXPECT_EQ(WithoutExceptions([]() -> Result<int> { return InputError("no"); }).error().what, "no");
}

TEST(WithoutExceptionsTest, ExceptionsBecomeErrors) {
  const Status memory = WithoutExceptions([]() -> Status { throw std::bad_alloc(); });
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().what.find("out of memory"), std::string::npos);
  const Status other = WithoutExceptions([]() -> Status { throw std::runtime_error("ICU broke"); });
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().what, "unexpected failure: ICU broke; please report this");
}

TEST(RunWithThreadsTest, ExceptionsBecomeErrors) {
  const Status status = RunWithThreads(2, []() -> Status { throw std::length_error("too long"); });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("too long"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
