// A folder for temporary files: tests make files and folders below ::testing::TempDir() and need
// not remove them. Each run of a test program has its own folder there, which is removed with it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace lookalike::testing {
namespace {

class TemporaryRoot : public ::testing::Environment {
 public:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/lookalike-tests-XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    setenv("TEST_TMPDIR", folder_.c_str(), 1);
  }

  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::string folder_;
};

const ::testing::Environment* const kRoot = ::testing::AddGlobalTestEnvironment(new TemporaryRoot);

}  // namespace
}  // namespace lookalike::testing
