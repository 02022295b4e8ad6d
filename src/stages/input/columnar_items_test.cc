// Lists in columns of Parquet and Arrow.
#include "stages/input/columnar_items.h"

#include <arrow/api.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "input/reader_testing.h"
#include "stages/input/format_readers.h"

namespace lookalike {
namespace {

using Array = std::shared_ptr<arrow::Array>;
using Type = std::shared_ptr<arrow::DataType>;

/// Makes the array that a JSON text describes.
Array Make(const Type& type, const std::string& json) {
  auto made = arrow::json::ArrayFromJSONString(type, json);
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  return *made;
}

/// Shows the separators as "|" and "=".
std::string Shown(std::string text) {
  for (char& c : text) c = c == kItemEnd ? '|' : c == kWeightBegin ? '=' : c;
  return text;
}

/// Returns the result for each row of a column.
std::vector<std::string> Rows(const Array& column, ItemWeights weights = ItemWeights::kAny) {
  InputFile file;
  file.name = "table";
  file.format = Format::kArrowFile;
  file.table = arrow::Table::Make(arrow::schema({arrow::field("items", column->type())}), {column});
  ReaderSetup setup;
  setup.file = file;
  setup.fields.text = "items";
  setup.fields.form = TextForm::kItems;
  setup.fields.weights = weights;
  const testing::ReadResult result = testing::ReadAll(setup);
  if (!result.error.empty()) return {"error: " + result.error};
  std::vector<std::string> rows;
  for (const testing::Record& record : result.records) {
    rows.push_back(record.rejected    ? "rejected: " + record.reason
                   : record.null_text ? "null"
                                      : Shown(record.text));
  }
  return rows;
}

using Texts = std::vector<std::string>;

TEST(ColumnarItems, ListsOfText) {
  const std::string json = R"([["red wine", "b"], null, [], ["", "é"]])";
  const Texts expected = {"red wine|b|", "null", "", "|é|"};
  EXPECT_EQ(Rows(Make(arrow::list(arrow::utf8()), json)), expected);
  EXPECT_EQ(Rows(Make(arrow::large_list(arrow::large_utf8()), json)), expected);
  EXPECT_EQ(Rows(Make(arrow::list(arrow::dictionary(arrow::int8(), arrow::utf8())), json)),
            expected);
  EXPECT_EQ(Rows(Make(arrow::fixed_size_list(arrow::utf8(), 2), R"([["a","b"],null,["c","d"]])")),
            (Texts{"a|b|", "null", "c|d|"}));
  EXPECT_EQ(Rows(Make(arrow::list_view(arrow::utf8()), json)), expected);
  EXPECT_EQ(Rows(Make(arrow::large_list_view(arrow::utf8()), json)), expected);
}

TEST(ColumnarItems, ListsOfNumbersAndBooleans) {
  for (const Type& type : {arrow::int8(), arrow::uint16(), arrow::int64(), arrow::uint64(),
                           arrow::float32(), arrow::float64()}) {
    EXPECT_EQ(Rows(Make(arrow::list(type), "[[1, 7], [0]]")), (Texts{"1|7|", "0|"}))
        << type->ToString();
  }
  EXPECT_EQ(Rows(Make(arrow::list(arrow::uint64()), "[[18446744073709551615]]")),
            Texts{"18446744073709551615|"});
  EXPECT_EQ(Rows(Make(arrow::list(arrow::float32()), "[[0.1, 1.0]]")), Texts{"0.1|1|"});
  EXPECT_EQ(Rows(Make(arrow::list(arrow::float64()), "[[0.1, -0.0, 1e22]]")),
            Texts{"0.1|0|10000000000000000000000|"});
  EXPECT_EQ(Rows(Make(arrow::list(arrow::boolean()), "[[true, false]]")), Texts{"true|false|"});
}

TEST(ColumnarItems, Weights) {
  EXPECT_EQ(Rows(Make(arrow::map(arrow::utf8(), arrow::float64()),
                      R"([[["a", 4.5], ["b", 1]], [], null])")),
            (Texts{"a=4.5|b=1|", "", "null"}));
  const Type pair =
      arrow::struct_({arrow::field("movie", arrow::int64()), arrow::field("stars", arrow::int8())});
  EXPECT_EQ(Rows(Make(arrow::list(pair), R"([[{"movie": 7, "stars": 5}], []])")),
            (Texts{"7=5|", ""}));
  EXPECT_EQ(Rows(Make(arrow::list(pair), R"([[{"movie": 7, "stars": 5}]])"), ItemWeights::kCounts),
            Texts{"7=5|"});
  EXPECT_EQ(Rows(Make(arrow::list(arrow::utf8()), R"([["a"]])"), ItemWeights::kNeeded),
            Texts{"rejected: field \"items\": item 1 has no rating, expected [item, number] or an "
                  "object of numbers ($<ratings>)"});
}

TEST(ColumnarItems, Slices) {
  const Array lists = Make(arrow::list(arrow::utf8()), R"([["a"], ["b", "c"], null, ["d"]])");
  EXPECT_EQ(Rows(lists->Slice(1, 3)), (Texts{"b|c|", "null", "d|"}));
  const Array maps =
      Make(arrow::map(arrow::utf8(), arrow::int32()), R"([[["a", 1]], [["b", 2]], [["c", 3]]])");
  EXPECT_EQ(Rows(maps->Slice(1, 2)), (Texts{"b=2|", "c=3|"}));
}

TEST(ColumnarItems, WhatIsNoItemRejectsItsRow) {
  const auto starts = [](const Texts& rows, size_t at, const std::string& with) {
    return rows.size() > at && rows[at].starts_with("rejected: field \"items\": " + with);
  };
  EXPECT_TRUE(starts(Rows(Make(arrow::list(arrow::utf8()), R"([["a", null], ["b"]])")), 0,
                     "item 2 is null"));
  EXPECT_EQ(Rows(Make(arrow::list(arrow::utf8()), R"([["a", null], ["b"]])"))[1], "b|");
  EXPECT_TRUE(starts(Rows(Make(arrow::list(arrow::utf8()), "[[\"a\\u001e\"]]")), 0,
                     "item 1 contains U+001E"));
  EXPECT_TRUE(starts(Rows(Make(arrow::map(arrow::utf8(), arrow::float64()), R"([[["a", null]]])")),
                     0, "item 1 has a weight that is null or not a number"));
  arrow::DoubleBuilder numbers;
  ASSERT_TRUE(numbers.AppendValues({1.0, std::nan(""), INFINITY}).ok());
  const Array offsets = Make(arrow::int32(), "[0, 2, 3]");
  const Array lists = *arrow::ListArray::FromArrays(*offsets, *numbers.Finish().ValueOrDie());
  EXPECT_TRUE(starts(Rows(lists), 0, "item 2 is null or not a number"));
  EXPECT_TRUE(starts(Rows(lists), 1, "item 1 is null or not a number"));
}

TEST(ColumnarItems, WhatIsNoListIsAnError) {
  const auto fails = [](const Type& type) {
    const Texts rows = Rows(*arrow::MakeArrayOfNull(type, 1));
    return rows.size() == 1 && rows[0].find("expected text, a list of") != std::string::npos;
  };
  EXPECT_TRUE(fails(arrow::int32()));
  EXPECT_TRUE(fails(arrow::list(arrow::list(arrow::utf8()))));
  EXPECT_TRUE(fails(arrow::list(arrow::date32())));
  EXPECT_TRUE(fails(arrow::map(arrow::utf8(), arrow::utf8())));
  const auto text = arrow::field("a", arrow::utf8()), number = arrow::field("b", arrow::int8());
  EXPECT_TRUE(fails(arrow::list(arrow::struct_({text, number, number}))));
  EXPECT_TRUE(fails(arrow::list(arrow::struct_({text}))));
  EXPECT_TRUE(fails(arrow::struct_({arrow::field("a", arrow::int8())})));
  EXPECT_EQ(Rows(*arrow::MakeArrayOfNull(arrow::null(), 1)), Texts{"null"});
  EXPECT_EQ(Rows(Make(arrow::utf8(), R"(["a\nb", "c\u001e"])"))[0], "a\nb");
  EXPECT_EQ(Rows(Make(arrow::utf8(), R"(["a\nb", "c\u001e"])"))[1].find("rejected"), 0U);
}

}  // namespace
}  // namespace lookalike
