#include "lookalike/sink.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lookalike/sketch_file.h"
#include "results/tee_sink.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;

/// Keeps rows as the objects that the files of lines would have.
class JsonSink : public ResultSink {
 public:
  Status Begin(const ResultLayout& layout) override {
    *this = {};
    layout_ = layout;
    return {};
  }

  Status TakeRemoval(const RemovalRow& row) override {
    Json json = Documents(row, "duplicate_of");
    json["kind"] = KindName(row.kind);
    json["resemblance"] = row.resemblance;
    json["cluster"] = row.cluster;
    if (row.witness.reference) json["duplicate_of_reference"] = true;
    if (layout_.contained) {
      json["containment_ab"] = row.in_witness;
      json["containment_ba"] = row.of_witness;
    }
    removals.push_back(json);
    return {};
  }

  Status TakeSuggestion(const RemovalRow& row) override {
    Json json = Documents(row, "duplicate_of");
    json["resemblance"] = row.resemblance;
    json["standard_error"] = row.standard_error;
    json["exact"] = false;
    json["cluster"] = row.cluster;
    suggestions.push_back(json);
    return {};
  }

  Status TakeCluster(const ClusterRow& row) override {
    Json json = {{"cluster", row.cluster}, {"size", row.size}};
    json["kept"] = json["members"] = Json::array();
    Json again = Json::array();
    const auto take = [&](const NamedDocument& document, bool kept) -> Status {
      json["members"].push_back(document.id);
      if (kept) again.push_back(document.id);
      return {};
    };
    LOOKALIKE_RETURN_IF_ERROR(row.members(false, take));
    LOOKALIKE_RETURN_IF_ERROR(row.members(true, [&](const NamedDocument& document, bool kept) {
      EXPECT_TRUE(kept);
      json["kept"].push_back(document.id);
      return Status();
    }));
    EXPECT_EQ(json["kept"], again);
    if (layout_.estimated) json["exact"] = false;
    clusters.push_back(json);
    return {};
  }

  Status TakeRejection(const RejectionRow& row) override {
    rejections.push_back({{"source", row.source}, {"row", row.row}, {"reason", row.reason}});
    return {};
  }

  Status TakeEvidence(const EvidenceRow& row) override {
    Json json = {{"id", row.document.id},
                 {"source", row.document.source},
                 {"row", row.document.row},
                 {"against", row.witness.id},
                 {"against_source", row.witness.source},
                 {"against_row", row.witness.row},
                 {"passages_left_out", row.left_out},
                 {"cut", row.cut}};
    json["passages"] = Json::array();
    for (const EvidencePassage& passage : row.passages) {
      json["passages"].push_back({{"a_begin", passage.place.a_begin},
                                  {"a_end", passage.place.a_end},
                                  {"b_begin", passage.place.b_begin},
                                  {"b_end", passage.place.b_end},
                                  {"text", passage.text}});
    }
    evidence.push_back(json);
    return {};
  }

  Status TakePair(const PairRow& row) override {
    const bool ranked = layout_.kind == ResultKind::kNeighbours;
    Json json;
    json[ranked ? "id" : "a"] = row.a.id;
    json[ranked ? "neighbour" : "b"] = row.b.id;
    json[ranked ? "source" : "source_a"] = row.a.source;
    json[ranked ? "row" : "row_a"] = row.a.row;
    json[ranked ? "neighbour_source" : "source_b"] = row.b.source;
    json[ranked ? "neighbour_row" : "row_b"] = row.b.row;
    if (ranked) json["rank"] = row.rank;
    if (layout_.by_distance) {
      json["distance"] = row.distance;
    } else {
      json["resemblance"] = row.figures.resemblance;
      json["common"] = row.figures.common;
      json["size_a"] = row.figures.size_a;
      json["size_b"] = row.figures.size_b;
    }
    pairs.push_back(json);
    return {};
  }

  Status End() override {
    ended = true;
    return {};
  }

  std::vector<Json> removals, suggestions, clusters, evidence, rejections, pairs;
  bool ended = false;

 private:
  static Json Documents(const RemovalRow& row, const std::string& other) {
    Json json = {{"id", row.document.id},
                 {"source", row.document.source},
                 {"row", row.document.row},
                 {other, row.witness.id},
                 {other + "_row", row.witness.row}};
    json[other + "_source"] = row.same_input() ? Json() : Json(row.witness.source);
    return json;
  }

  ResultLayout layout_;
};

std::vector<Json> LinesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
  return lines;
}

/// Returns the rows of an Arrow file as objects.
std::vector<Json> RowsOf(const std::string& path) {
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
  const auto table = reader->ToTable().ValueOrDie();
  EXPECT_TRUE(table->ValidateFull().ok());
  std::vector<Json> rows(static_cast<size_t>(table->num_rows()));
  for (int column = 0; column < table->num_columns(); ++column) {
    for (size_t row = 0; row < rows.size(); ++row) {
      const auto cell = table->column(column)->GetScalar(static_cast<int64_t>(row)).ValueOrDie();
      const bool text = cell->type->id() == arrow::Type::STRING;
      Json& value = rows[row][table->field(column)->name()];
      if (!cell->is_valid) {
        value = nullptr;
      } else if (text) {
        value = cell->ToString();
      } else if (cell->type->id() == arrow::Type::DOUBLE) {
        value = static_cast<const arrow::DoubleScalar&>(*cell).value;
      } else if (cell->type->id() != arrow::Type::LIST) {
        value = Json::parse(cell->ToString());
      }
    }
  }
  return rows;
}

class SinkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_sink_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ + "/rows");
    Write("a.jsonl", {"the quick brown fox jumps over the lazy dog by the river", "alone here",
                      "The quick brown fox jumps over the lazy dog by the river!"});
    Write("b.jsonl", {"the quick brown fox jumps over the lazy dog by the bank", "alone here",
                      "nothing like any other of them"});
    options_.shingle = "word:2";
    options_.overwrite = true;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& name, const std::vector<std::string>& texts) {
    std::ofstream file(root_ + "/" + name, std::ios::binary);
    for (size_t i = 0; i < texts.size(); ++i) {
      file << Json{{"id", name.substr(0, 1) + std::to_string(i)}, {"text", texts[i]}}.dump()
           << "\n";
    }
  }

  [[nodiscard]] Inputs Both() const { return {root_ + "/a.jsonl", root_ + "/b.jsonl"}; }

  /// Expects that a sink without a folder, a sink beside one, and the folder agree.
  void ExpectSameRows(const Inputs& inputs) {
    JsonSink alone, beside;
    const auto found = Dedup(inputs, &alone, options_);
    ASSERT_TRUE(found) << found.error().ToString();
    const std::string out = root_ + "/out";
    const auto written = Dedup(inputs, out, options_, &beside);
    ASSERT_TRUE(written) << written.error().ToString();
    EXPECT_EQ(found->records.kept, written->records.kept);
    EXPECT_EQ(found->records.removed_exact, written->records.removed_exact);
    EXPECT_EQ(found->records.removed_near, written->records.removed_near);
    EXPECT_EQ(found->suggested, written->suggested);
    EXPECT_EQ(found->exact, written->exact);
    EXPECT_EQ(found->clusters, written->clusters);
    EXPECT_EQ(found->design, written->design);
    EXPECT_GT(alone.clusters.size(), 0u);
    const bool contained = options_.measure == "containment";
    for (const JsonSink* sink : {&alone, &beside}) {
      EXPECT_TRUE(sink->ended);
      EXPECT_EQ(sink->clusters, LinesOf(out + "/clusters.jsonl"));
      if (written->exact) {
        EXPECT_EQ(sink->removals, LinesOf(out + "/removed.jsonl"));
        EXPECT_GT(sink->removals.size(), 0u);
      } else {
        EXPECT_EQ(sink->suggestions, LinesOf(out + "/suggested.jsonl"));
        EXPECT_TRUE(sink->removals.empty()) << "nothing is removed";
      }
      if (contained) {
        EXPECT_EQ(sink->evidence, LinesOf(out + "/evidence.jsonl"));
        EXPECT_GT(sink->evidence.size(), 0u);
      }
    }
  }

  std::string root_;
  Options options_;
};

TEST_F(SinkTest, TakesWhatDedupWouldRemove) { ExpectSameRows(Both()); }

// Clusters are given in blocks of some hundred members; a larger one is given in pieces.
TEST_F(SinkTest, TakesLargeAndSmallClusters) {
  std::vector<std::string> texts;
  std::vector<Json> clusters;
  const auto add = [&](int size) {
    const std::string text = "text number " + std::to_string(clusters.size()) + " of this test";
    Json cluster = {{"cluster", clusters.size() + 1}, {"size", size}};
    cluster["kept"] = Json::array({"c" + std::to_string(texts.size())});
    cluster["members"] = Json::array();
    for (int i = 0; i < size; ++i) {
      cluster["members"].push_back("c" + std::to_string(texts.size()));
      texts.push_back(text);
    }
    clusters.push_back(cluster);
  };
  for (const int size : {2500, 513, 512, 500, 12, 3}) add(size);
  for (int i = 0; i < 600; ++i) add(2);
  Write("c.jsonl", texts);
  ExpectSameRows({root_ + "/c.jsonl"});
  JsonSink sink;
  ASSERT_TRUE(Dedup({root_ + "/c.jsonl"}, &sink, options_));
  EXPECT_EQ(sink.clusters, clusters);
  EXPECT_EQ(sink.removals.size(), texts.size() - clusters.size());
}

TEST_F(SinkTest, TakesWhatAReferenceHas) {
  options_.against = {root_ + "/a.jsonl"};
  ExpectSameRows({root_ + "/b.jsonl"});
}

TEST_F(SinkTest, TakesEvidenceOfContainment) {
  options_.measure = "containment";
  options_.min_features = 3;
  options_.against = {root_ + "/a.jsonl"};
  ExpectSameRows({root_ + "/b.jsonl"});
}

TEST_F(SinkTest, TakesWhatCouldNotBeRead) {
  std::ofstream(root_ + "/b.jsonl", std::ios::app) << "{\"text\": \"never \\q\n[\"closed\"\n";
  JsonSink sink, alone;
  const auto arrow = MakeArrowSink(root_ + "/rows");
  TeeSink both = {&sink, arrow.get()};
  const std::string out = root_ + "/out";
  const auto written = Dedup(Both(), out, options_, &both);
  ASSERT_TRUE(written) << written.error().ToString();
  ASSERT_EQ(written->records.rejected, 2u);
  const auto lines = LinesOf(out + "/rejected.jsonl");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("source"), "b.jsonl");
  EXPECT_EQ(lines[0].at("row"), 4);
  EXPECT_EQ(lines[1].at("row"), 5);
  EXPECT_NE(lines[0].at("reason"), lines[1].at("reason"));
  EXPECT_EQ(sink.rejections, lines);
  EXPECT_EQ(RowsOf(root_ + "/rows/rejected.arrow"), lines);
  ASSERT_TRUE(Dedup(Both(), &alone, options_));
  EXPECT_TRUE(alone.rejections.empty());
}

TEST_F(SinkTest, TakesSuggestionsOfSketches) {
  const std::string sketches = root_ + "/both.sketches";
  const auto made = WriteSketchFile(Both(), sketches, options_);
  ASSERT_TRUE(made) << made.error().ToString();
  options_ = {};
  options_.overwrite = true;
  ExpectSameRows({sketches});
}

TEST_F(SinkTest, TakesPairsAndNeighbours) {
  options_.threshold = 0.5;
  options_.rows = true;
  JsonSink pairs, neighbours;
  const auto found = Pairs(Both(), &pairs, options_);
  ASSERT_TRUE(found) << found.error().ToString();
  ASSERT_TRUE(Pairs(Both(), root_ + "/pairs", options_));
  EXPECT_EQ(pairs.pairs, LinesOf(root_ + "/pairs"));
  EXPECT_EQ(found->pairs, pairs.pairs.size());
  EXPECT_GT(found->pairs, 3u);
  EXPECT_TRUE(pairs.ended);
  ASSERT_TRUE(Nearest(Both(), &neighbours, options_));
  ASSERT_TRUE(Nearest(Both(), root_ + "/nearest", options_));
  EXPECT_EQ(neighbours.pairs, LinesOf(root_ + "/nearest"));
  EXPECT_GT(neighbours.pairs.size(), pairs.pairs.size());
}

TEST_F(SinkTest, TakesDistances) {
  Write("points.jsonl", {"0 0", "3 4", "3 5", "90 80"});
  options_ = {};
  options_.distance = "l2";
  options_.within = 6;
  options_.rows = true;
  const Inputs points = {root_ + "/points.jsonl"};
  JsonSink pairs, neighbours;
  ASSERT_TRUE(Pairs(points, &pairs, options_));
  ASSERT_TRUE(Pairs(points, root_ + "/pairs", options_));
  EXPECT_EQ(pairs.pairs, LinesOf(root_ + "/pairs"));
  EXPECT_EQ(pairs.pairs.size(), 3u);
  ASSERT_TRUE(Nearest(points, &neighbours, options_));
  ASSERT_TRUE(Nearest(points, root_ + "/nearest", options_));
  EXPECT_EQ(neighbours.pairs, LinesOf(root_ + "/nearest"));
  EXPECT_EQ(neighbours.pairs.size(), 6u);
}

// The Arrow files have the same rows as the files of lines, except for nested columns.
TEST_F(SinkTest, WritesTheSameRowsAsArrow) {
  options_.measure = "containment";
  options_.min_features = 3;
  options_.against = {root_ + "/a.jsonl"};
  const auto sink = MakeArrowSink(root_ + "/rows");
  const std::string out = root_ + "/out";
  ASSERT_TRUE(Dedup({root_ + "/b.jsonl"}, out, options_, sink.get()));
  auto removed = LinesOf(out + "/removed.jsonl");
  EXPECT_GT(removed.size(), 0u);
  for (Json& row : removed) row.erase("duplicate_of_reference");
  EXPECT_EQ(RowsOf(root_ + "/rows/removed.arrow"), removed);
  auto evidence = LinesOf(out + "/evidence.jsonl");
  for (Json& row : evidence) row["passages"] = nullptr;
  EXPECT_EQ(RowsOf(root_ + "/rows/evidence.arrow"), evidence);
  std::vector<Json> members;
  for (const Json& cluster : LinesOf(out + "/clusters.jsonl")) {
    for (const Json& id : cluster["members"]) {
      const auto& kept = cluster["kept"];
      const bool is_kept = std::find(kept.begin(), kept.end(), id) != kept.end();
      members.push_back({{"cluster", cluster["cluster"]}, {"id", id}, {"kept", is_kept}});
    }
  }
  EXPECT_EQ(RowsOf(root_ + "/rows/members.arrow"), members);
  options_.measure = Options().measure;
  options_.against = {};
  options_.rows = true;
  ASSERT_TRUE(Pairs(Both(), sink.get(), options_));
  ASSERT_TRUE(Pairs(Both(), root_ + "/pairs", options_));
  EXPECT_EQ(RowsOf(root_ + "/rows/pairs.arrow"), LinesOf(root_ + "/pairs"));
}

TEST_F(SinkTest, AnErrorOfASinkEndsTheRunAndWritesNothing) {
  class Full : public ResultSink {
    Status TakeCluster(const ClusterRow& row) override {
      if (row.cluster < 2) return {};
      return UsageError("the sink is full; empty it");
    }
    Status TakePair(const PairRow& /*row*/) override {
      return UsageError("the sink is full; empty it");
    }
    Status End() override {
      ADD_FAILURE() << "the rows did not end";
      return {};
    }
  };
  Full full;
  const std::string out = root_ + "/out";
  const auto folder = Dedup(Both(), out, options_, &full);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().what.find("the sink is full; empty it"), 0u) << folder.error().what;
  EXPECT_FALSE(std::filesystem::exists(out));
  const auto alone = Dedup(Both(), &full, options_);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().what, "the sink is full; empty it");
  const auto pairs = Pairs(Both(), &full, options_);
  ASSERT_FALSE(pairs);
  EXPECT_EQ(pairs.error().what, "the sink is full; empty it");
}

TEST_F(SinkTest, NothingIsLeftInTheFolderForTemporaryFiles) {
  const std::string scratch = root_ + "/scratch";
  std::filesystem::create_directories(scratch);
  options_.scratch = scratch;
  JsonSink sink;
  ASSERT_TRUE(Dedup(Both(), &sink, options_));
  ASSERT_TRUE(Pairs(Both(), &sink, options_));
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
  options_.scratch = root_ + "/missing";
  const auto refused = Dedup(Both(), &sink, options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOption);
  EXPECT_EQ(refused.error().option, "scratch");
}

TEST_F(SinkTest, AMissingSinkIsAnErrorUnlessThereIsAnOutput) {
  ResultSink* const none = nullptr;
  EXPECT_FALSE(Dedup(Both(), none, options_));
  EXPECT_FALSE(Pairs(Both(), none, options_));
  EXPECT_FALSE(Nearest(Both(), none, options_));
  EXPECT_TRUE(Dedup(Both(), root_ + "/out", options_, none));
}

TEST_F(SinkTest, ACompleteResultGivesNoRows) {
  const std::string out = root_ + "/out";
  options_.overwrite = false;
  options_.resume = true;
  JsonSink first, second;
  ASSERT_TRUE(Dedup(Both(), out, options_, &first));
  EXPECT_TRUE(first.ended);
  const auto again = Dedup(Both(), out, options_, &second);
  ASSERT_TRUE(again) << again.error().ToString();
  EXPECT_TRUE(again->was_complete);
  EXPECT_FALSE(second.ended);
}

TEST_F(SinkTest, ProgressReachesTheEnd) {
  double of_run = 0;
  Observer observer;
  observer.progress = [&](const Progress& progress) {
    EXPECT_GT(progress.of_run, 0) << progress.stage;
    of_run = progress.of_run;
  };
  JsonSink sink;
  ASSERT_TRUE(Dedup(Both(), &sink, options_, observer));
  EXPECT_GE(of_run, 0.999);
}

// A member's function may ask for the members again.
TEST_F(SinkTest, MembersCanBeReadWithinMembers) {
  class Pairing : public ResultSink {
   public:
    Status TakeCluster(const ClusterRow& row) override {
      return row.members(false, [&](const NamedDocument& a, bool) {
        return row.members(false, [&](const NamedDocument& b, bool) {
          pairs += std::string(a.id) + std::string(b.id) + " ";
          return Status();
        });
      });
    }
    std::string pairs;
  };
  Pairing pairing;
  options_.threshold = 0.99;
  ASSERT_TRUE(Dedup(Both(), &pairing, options_));
  EXPECT_EQ(pairing.pairs, "a0a0 a0a2 a2a0 a2a2 a1a1 a1b1 b1a1 b1b1 ");
}

}  // namespace
}  // namespace lookalike
