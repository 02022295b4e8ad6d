#include "uses/passages/passages_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "io/output_stream.h"
#include "io/utf8.h"
#include "search/keep_levels.h"

// The page that web/report makes, in the library.
extern "C" const char kPassagesTemplateBegin[];
extern "C" const char kPassagesTemplateEnd[];

namespace lookalike {
namespace {

constexpr std::string_view kPlaceholder = "__LOOKALIKE_PASSAGES__";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// Returns a number with a narrow space between groups of three digits.
std::string Grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += "\xE2\x80\xAF";
    grouped += digits[i];
  }
  return grouped;
}

std::string Counted(uint64_t number, std::string_view one) {
  return fmt::format("{} {}{}", Grouped(number), one, number == 1 ? "" : "s");
}

std::string InUnits(uint64_t bytes) {
  if (bytes < 1000) return Counted(bytes, "byte");
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  constexpr std::string_view kByteUnits[] = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
  for (; value >= 999.5; ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, kByteUnits[unit]);
}

void AppendFigure(std::string* page, std::string_view name, const std::string& value) {
  fmt::format_to(std::back_inserter(*page), "<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

/// Appends how many cuts no criterion of --keep decided, if there are any.
void AppendByOrder(const PassagesReport& report, std::string* page) {
  const std::string_view order = NameOfLevel(KeepLevel::kInputOrder, report.job.choices.keep);
  for (const auto& [name, cuts] : report.summary.kept_by) {
    if (name != order || cuts == 0) continue;
    AppendFigure(page, "Decided by the order of the inputs only", Counted(cuts, "part"));
  }
}

void AppendTotals(const PassagesReport& report, std::string* page) {
  const PassagesSummary& summary = report.summary;
  const std::string_view units = report.UnitName();
  fmt::format_to(std::back_inserter(*page), "<h1>{} of {} or more in {}</h1>\n<dl>\n",
                 Counted(summary.passages, "passage"), Counted(report.rules.Least(), units),
                 Counted(summary.records.in, "record"));
  AppendFigure(page, "Places", Grouped(summary.places));
  AppendFigure(page, report.rules.InChars() ? "Characters in passages" : "Words in passages",
               Grouped(summary.shared_words));
  if (summary.words > 0) {
    AppendFigure(page, fmt::format("Share of all {}s", units),
                 fmt::format("{:.3g}%", 100 * static_cast<double>(summary.shared_words) /
                                            static_cast<double>(summary.words)));
  }
  switch (report.rules.action) {
    case PassageAction::kCut:
      AppendFigure(page, "Cut", Counted(summary.cuts, "part"));
      AppendFigure(page, report.rules.InChars() ? "Characters cut" : "Words cut",
                   Grouped(summary.cut_words));
      AppendFigure(page, "Text cut", InUnits(summary.cut_bytes));
      AppendByOrder(report, page);
      [[fallthrough]];
    case PassageAction::kDrop:
      AppendFigure(page, "Left out", Counted(summary.dropped, "document"));
      break;
    case PassageAction::kAnnotate:
      AppendFigure(page, "Annotated", Counted(summary.records.kept, "row"));
      break;
    case PassageAction::kReport:
      break;
  }
  *page += "</dl>\n";
}

/// Appends what became of the places of a passage.
void AppendDone(PassageAction action, uint64_t cuts, std::string* page) {
  if (action == PassageAction::kCut) {
    *page += fmt::format("; {} begin here", Counted(cuts, "cut"));
  } else if (action == PassageAction::kDrop && cuts > 0) {
    *page += "; documents were left out for it";
  }
}

Status AppendPlace(const PassagesReport& report, const ShownPlace& place, std::string* page) {
  LOOKALIKE_ASSIGN_OR_RETURN(const DocName name, report.names.Of(place.name));
  fmt::format_to(
      std::back_inserter(*page),
      "<li><p class=\"facts\"><bdi>{}</bdi>, <bdi>{}</bdi> row {}{}</p>\n<p dir=\"auto\">{}{}",
      EscapedText(name.id), EscapedText(report.job.inputs[name.source].name), Grouped(name.row),
      name.source < report.job.reference_inputs ? ", in the reference" : "",
      place.continues_before ? kEllipsis : "", EscapedText(place.before));
  *page += "<mark>" + EscapedText(place.head);
  if (place.lacks_middle) fmt::format_to(std::back_inserter(*page), " {} ", kEllipsis);
  *page += EscapedText(place.tail) + "</mark>" + EscapedText(place.after);
  if (place.continues_after) *page += kEllipsis;
  *page += "</p></li>\n";
  return {};
}

Status AppendPassage(const PassagesReport& report, uint64_t number, const NumberedPassage& passage,
                     std::string* page) {
  auto place = report.shown.lower_bound({number, 0});
  if (place == report.shown.end() || place->first.first != number) {
    return BugError("a passage has no place; please report this");
  }
  const uint64_t bytes = place->second.bytes * (passage.places - 1);
  fmt::format_to(
      std::back_inserter(*page),
      "<article>\n<h2>{}. {} at {}</h2>\n<p class=\"facts\">{} at all places but the first",
      Grouped(number), Counted(passage.words, report.UnitName()), Counted(passage.places, "place"),
      InUnits(bytes));
  AppendDone(report.rules.action, report.cuts[number - 1], page);
  *page += "</p>\n<ul>\n";
  uint64_t shown = 0;
  for (; place != report.shown.end() && place->first.first == number; ++place, ++shown) {
    LOOKALIKE_RETURN_IF_ERROR(AppendPlace(report, place->second, page));
  }
  *page += "</ul>\n";
  if (shown < passage.places) {
    fmt::format_to(std::back_inserter(*page), "<p class=\"facts\">and at {}</p>\n",
                   Counted(passage.places - shown, "more place"));
  }
  *page += "</article>\n";
  return {};
}

}  // namespace

std::string EscapedText(std::string_view text) {
  const std::string repaired = IsUtf8(text) ? std::string(text) : RepairUtf8(text);
  std::string out;
  for (const char c : repaired) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\0':  // HTML has no way to write it
        out += "\xEF\xBF\xBD";
        break;
      case '\r':  // a parser would make a line end of it
        out += "&#13;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Status WritePassagesReport(const PassagesReport& report, const std::string& path) {
  const std::string_view page(kPassagesTemplateBegin,
                              static_cast<size_t>(kPassagesTemplateEnd - kPassagesTemplateBegin));
  const size_t at = page.find(kPlaceholder);
  if (at == page.npos) {
    return BugError("the page of this build has no place for passages; build again");
  }
  std::string filled(page.substr(0, at));
  AppendTotals(report, &filled);
  const uint64_t count = std::min(report.passages.size(), kShownPassages);
  for (uint64_t number = 1; number <= count; ++number) {
    LOOKALIKE_ASSIGN_OR_RETURN(const NumberedPassage passage, report.passages.At(number - 1));
    LOOKALIKE_RETURN_IF_ERROR(AppendPassage(report, number, passage, &filled));
  }
  if (count < report.passages.size()) {
    fmt::format_to(std::back_inserter(filled), "<p>{} more are in passages.jsonl.</p>\n",
                   Grouped(report.passages.size() - count));
  }
  filled += page.substr(at + kPlaceholder.size());
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(file->Write(filled));
  return file->Close();
}

}  // namespace lookalike
