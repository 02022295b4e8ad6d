#include "uses/passages/keep_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

class KeepValuesTest : public WorkspaceTest {};

TEST_F(KeepValuesTest, BatchesOfAnySizeGiveOneOrder) {
  Job job;
  job.choices.keep = Got(ParseKeepPolicy(std::vector<std::string>{"longest", "field:b:desc"}));
  job.inputs = std::vector<InputFile>(2);
  job.reference_inputs = 1;
  constexpr size_t kDocuments = 90, kReference = 10;
  const KnownInputs inputs{{0, kReference, kDocuments}, {false, false}};
  std::mt19937_64 random(2);
  std::vector<std::pair<size_t, std::string>> values(kDocuments);
  for (auto& [length, field] : values) {
    length = random() % 4;
    // Strings that differ only after the bytes that are compared at first.
    field = std::string(20, 'x') + std::to_string(10 + random() % 9);
  }
  std::vector<DocNumber> expected(kDocuments);
  for (size_t i = 0; i < kDocuments; ++i) expected[i] = i;
  std::stable_sort(expected.begin() + kReference, expected.end(),
                   [&](DocNumber x, DocNumber y) { return values[x] > values[y]; });
  for (const size_t batch : {size_t{1}, size_t{7}, kDocuments}) {
    const auto workspace = batch == 7 ? Tiny(4096) : Ample();
    KeepValues kept(job, workspace.get());
    for (size_t begin = 0; begin < kDocuments; begin += batch) {
      KeepColumn column;
      for (size_t i = begin; i < std::min(begin + batch, kDocuments); ++i) {
        const std::string text(values[i].first, 'a');
        Document document;
        document.text = text;
        document.keep_field = values[i].second;
        AppendKeepValues(job.choices.keep, document, {}, &column);
      }
      ASSERT_TRUE(kept.Add(std::move(column)));
    }
    if (batch == 7) {
      const auto refused = kept.RankAll(inputs, kDocuments);
      ASSERT_FALSE(refused) << "ranks do not fit in the memory";
      EXPECT_NE(refused.error().what.find("$<memory"), std::string::npos);
      continue;
    }
    const Ranking ranking = Got(kept.RankAll(inputs, kDocuments));
    EXPECT_EQ(ranking.order, expected) << batch;
  }
}

}  // namespace
}  // namespace lookalike
