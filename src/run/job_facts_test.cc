#include "run/job_facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "run/resolve_job.h"

namespace lookalike {
namespace {

/// Returns a folder with an input of three formats.
std::string MakeInputs() {
  const std::string folder = ::testing::TempDir() + "lookalike_job_facts";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.jsonl") << "{\"id\":\"1\",\"body\":\"some words of a text\"}\n";
  std::ofstream(folder + "/b.csv") << "id;body\n2;other words of a text\n";
  std::ofstream(folder + "/c.txt") << "a text of its own\n";
  return folder;
}

JobFacts Decoded(const JobFacts& facts) {
  const auto decoded = DecodeFacts(EncodeFacts(facts), "inputs.jsonl");
  EXPECT_TRUE(decoded) << decoded.error().ToString();
  return decoded.value_or(JobFacts());
}

TEST(JobFacts, ResolveTheSameJobWithoutOpeningInputs) {
  const std::string folder = MakeInputs();
  const auto job = ResolveJob({{folder}}, {}, {});
  ASSERT_TRUE(job) << job.error().ToString();
  JobFacts facts = Decoded(FactsOf(*job, 1 << 20));
  const auto again = ResolveJob({{folder}}, {}, {.facts = &facts});
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_EQ(again->fields.text, "body");
  EXPECT_EQ(again->fields.id, job->fields.id);
  EXPECT_EQ(again->fields.id_seen, job->fields.id_seen);
  EXPECT_EQ(again->sizes.documents, job->sizes.documents);
  EXPECT_EQ(again->sizes.plain_bytes, job->sizes.plain_bytes);
  EXPECT_EQ(again->DesignName(), job->DesignName());
  ASSERT_EQ(again->inputs.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again->inputs[i].format, job->inputs[i].format) << i;
    EXPECT_EQ(again->inputs[i].delimiter, job->inputs[i].delimiter) << i;
  }
  EXPECT_EQ(again->inputs[1].delimiter, ';');
  // The facts are believed, and not looked up again.
  facts.inputs[0].form.format = Format::kText;
  facts.text_field = "other";
  const auto told = ResolveJob({{folder}}, {}, {.facts = &facts});
  EXPECT_EQ(told->inputs[0].format, Format::kText);
  EXPECT_EQ(told->fields.text, "other");
}

TEST(JobFacts, KeepProblemsAndCodecs) {
  Job job;
  InputFile file;
  file.path = file.name = "x";
  file.codec = Codec::kLz4;
  file.format = Format::kArrowStream;
  file.problem = "cannot be read: \"quotes\"";
  job.inputs.Add(file);
  job.sizes.plain_bytes = {7};
  job.fields.id = "key";
  job.fields.any = false;
  const JobFacts facts = Decoded(FactsOf(job, 1 << 20));
  ASSERT_EQ(facts.inputs.size(), 1U);
  EXPECT_EQ(facts.inputs[0].place, "x");
  EXPECT_EQ(facts.id_field, "key");
  EXPECT_FALSE(facts.any);
  const InputForm& form = facts.inputs[0].form;
  EXPECT_EQ(form.codec, Codec::kLz4);
  EXPECT_EQ(form.format, Format::kArrowStream);
  EXPECT_EQ(form.problem, file.problem);
  EXPECT_EQ(facts.Sizes().plain_bytes, std::vector<uint64_t>{7});
}

TEST(JobFacts, KeepWhereInputsAreCut) {
  JobFacts facts;
  facts.inputs = {{"a", {}, 1, {}}, {"b", {}, 2, {10, 20}}};
  EXPECT_EQ(Decoded(facts).Cuts(), (InputCuts{{1, {10, 20}}}));
}

TEST(JobFacts, ThatAreDamagedAreErrors) {
  const std::string first =
      "{\"text\":\"t\",\"id\":\"id\",\"any\":true,\"id_seen\":true,\"documents\":1,"
      "\"inputs\":1}\n";
  EXPECT_FALSE(DecodeFacts("", "f"));
  EXPECT_FALSE(DecodeFacts(first, "f"));
  for (const char* line : {"{", "{\"path\":\"a\"}",
                           "{\"path\":\"a\",\"format\":\"xml\",\"codec\":\"none\","
                           "\"plain_bytes\":1}"}) {
    const auto decoded = DecodeFacts(first + line, "f");
    ASSERT_FALSE(decoded) << line;
    EXPECT_EQ(decoded.error().where, "f");
  }
}

}  // namespace
}  // namespace lookalike
