#include "index/batch.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "engine/must.h"
#include "index/index_state.h"
#include "lookalike/index.h"

namespace lookalike {
namespace {

Index OpenNew() {
  const std::string folder = ::testing::TempDir() + "/batch";
  IndexSettings settings;
  settings.options.shingle = "word:1";
  EXPECT_TRUE(Index::Create(folder, settings));
  return Must(Index::Open(folder, IndexMode::kWrite));
}

TEST(IndexBatchTest, NumbersEndWhereFiveBytesDo) {
  const Index index = OpenNew();
  const IndexRules& rules = index.state().rules;
  const auto view = index.state().store->View();
  IndexState state;
  state.next = kMostDocuments;
  StoreBatch changes;
  IndexBatch batch(rules, *view, state, &changes, nullptr);
  const std::string_view texts[] = {"one two three", "four five six"};
  const auto probes = Must(ProbesOf(rules, texts));
  EXPECT_EQ(Must(batch.Add({"last", texts[0], {}}, probes[0], {})).outcome, AddOutcome::kAdded);
  const auto refused = batch.Add({"one too many", texts[1], {}}, probes[1], {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  // The last number is the largest that a key can have.
  EXPECT_EQ(Must(FindNumber(batch.view(), "last")), kMostDocuments);
}

}  // namespace
}  // namespace lookalike
