#include "results/pairs_file.h"

#include <utility>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "results/pair_columns.h"

namespace lookalike {
namespace {

class JsonLines final : public ResultSink {
 public:
  JsonLines(std::string path, bool places) : path_(std::move(path)), places_(places) {}

  Status Begin(const ResultLayout& layout) override {
    layout_ = layout;
    LOOKALIKE_ASSIGN_OR_RETURN(file_, OutputStream::Create(path_, Codec::kNone));
    return {};
  }

  Status TakePair(const PairRow& row) override {
    const bool ranked = layout_.kind == ResultKind::kNeighbours;
    line_ = ranked ? R"({"id": )" : R"({"a": )";
    AppendJsonString(&line_, row.a.id);
    if (ranked) line_ += R"(, "rank": )" + std::to_string(row.rank);
    line_ += ranked ? R"(, "neighbour": )" : R"(, "b": )";
    AppendJsonString(&line_, row.b.id);
    if (places_) {
      const PlaceNames names = PlaceNamesOf(layout_);
      AddPlace(names.source, names.row, row.a);
      AddPlace(names.other_source, names.other_row, row.b);
    }
    layout_.by_distance ? AddDistance(row.distance) : AddFigures(row.figures, row.scores);
    line_ += "}\n";
    return file_->Write(line_);
  }

  Status End() override { return file_->Close(); }

 private:
  void AddPlace(const char* source, const char* row, const NamedDocument& document) {
    line_.append(", \"").append(source).append("\": ");
    AppendJsonString(&line_, document.source);
    line_.append(", \"").append(row).append("\": ").append(std::to_string(document.row));
  }

  void AddDistance(double distance) {
    line_ += R"(, "distance": )";
    if (layout_.whole) {
      line_ += std::to_string(static_cast<uint64_t>(distance));
    } else {
      AppendJsonNumber(&line_, distance);
    }
  }

  void AddFigures(const PairFigures& figures, std::span<const FieldScore> scores) {
    line_ += R"(, "resemblance": )";
    AppendJsonNumber(&line_, figures.resemblance);
    AppendFieldScores(scores, &line_);
    line_ += R"(, "common": )" + std::to_string(figures.common);
    line_ += R"(, "size_a": )" + std::to_string(figures.size_a);
    line_ += R"(, "size_b": )" + std::to_string(figures.size_b);
    if (layout_.contained) {
      line_ += R"(, "containment_ab": )";
      AppendJsonNumber(&line_, figures.containment_ab());
      line_ += R"(, "containment_ba": )";
      AppendJsonNumber(&line_, figures.containment_ba());
    }
    if (!layout_.estimated) return;
    line_ += R"(, "exact": false, "standard_error": )";
    AppendJsonNumber(&line_, figures.standard_error);
  }

  std::string path_;
  bool places_;
  ResultLayout layout_;
  std::unique_ptr<OutputStream> file_;
  std::string line_;
};

class Parquet final : public ResultSink {
 public:
  Parquet(std::string path, bool places) : path_(std::move(path)), places_(places) {}

  Status Begin(const ResultLayout& layout) override {
    layout_ = layout;
    LOOKALIKE_ASSIGN_OR_RETURN(
        rows_, TableRows::Create(path_, TableForm::kParquet, PairSchema(layout, places_)));
    return {};
  }

  Status TakePair(const PairRow& row) override {
    return AddPair(row, layout_, places_, rows_.get());
  }

  Status End() override { return rows_->Close(); }

 private:
  std::string path_;
  bool places_;
  ResultLayout layout_;
  std::unique_ptr<TableRows> rows_;
};

}  // namespace

std::unique_ptr<ResultSink> MakePairsFile(std::string path, PairsForm form, bool places) {
  if (form == PairsForm::kParquet) return std::make_unique<Parquet>(std::move(path), places);
  return std::make_unique<JsonLines>(std::move(path), places);
}

}  // namespace lookalike
