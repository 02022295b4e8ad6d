#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "plan_view.h"
#include "quantity.h"

namespace lookalike::cli {
namespace {

// The colours match report.html.
constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plan of a search</title>
<style>
:root { color-scheme: light dark; --paper: light-dark(#f6f8fb, #10151e);
  --sheet: light-dark(#ffffff, #171e2a); --ink: light-dark(#17202e, #e4e9f1);
  --muted: light-dark(#556174, #9ba8bb); --rule: light-dark(#d6dde7, #2c3748);
  --kept: light-dark(#2455b8, #86adf5); --near: light-dark(#bf4a10, #f2965c); }
body { margin: 0 auto; max-width: 60rem; padding: 0 1.5rem 3rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
section { margin: 1rem 0; padding: 1rem; background: var(--sheet); border: 1px solid var(--rule);
  overflow-x: auto; }
h1 { margin: 1.5rem 0 0; font-size: 1.6rem; } h2 { margin: 0 0 .5rem; font-size: 1.1rem; }
p { margin: .3rem 0; } .muted { color: var(--muted); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); }
td:first-child, th:first-child { text-align: left; }
tr.chosen { font-weight: 600; }
svg { display: block; width: 100%; height: auto; max-width: 46rem; font-size: 12px; }
svg text { fill: var(--muted); } .grid { stroke: var(--rule); }
.curve { fill: none; stroke: var(--muted); stroke-opacity: .55; }
.chosen-curve { fill: none; stroke: var(--kept); stroke-width: 3; }
.threshold { stroke: var(--near); stroke-dasharray: 5 4; }
.bar { fill: var(--muted); } .bar.alike { fill: var(--near); }
</style>
)";

/// The layout of a plot, in its own units; the left margin has room for "10,000,000,000".
constexpr double kLeft = 96, kTop = 14, kWidth = 620, kHeight = 240;

std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
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
      default:
        out += c;
    }
  }
  return out;
}

double X(double j) { return kLeft + j * kWidth; }
double Y(double share) { return kTop + (1 - share) * kHeight; }

/// Begins a plot of shares, up to `top`, over the resemblance.
std::string OpenPlot(std::string_view label, std::string_view unit, double threshold) {
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                  kLeft + kWidth + 20, kTop + kHeight + 44, label);
  for (int i = 0; i <= 10; i += 2) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        X(i / 10.0), Y(0), Y(1), Y(0) + 16, i / 10.0);
  }
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">resemblance; {}</text>\n"
      "<line class=\"threshold\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
      X(0.5), Y(0) + 36, unit, X(threshold), Y(0), X(threshold), Y(1));
  return svg;
}

std::string YTick(double share, std::string_view label) {
  return fmt::format(
      "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
      X(0), Y(share), X(1), Y(share), kLeft - 6, Y(share) + 4, label);
}

std::string Curve(const PlannedSearch& search, bool chosen) {
  std::string points;
  for (size_t i = 0; i < search.acceptance.size(); ++i) {
    points +=
        fmt::format("{:.1f},{:.1f} ", X(static_cast<double>(i) / 100), Y(search.acceptance[i]));
  }
  return fmt::format("<polyline class=\"{}\" points=\"{}\"><title>{}</title></polyline>\n",
                     chosen ? "chosen-curve" : "curve", points, Escape(search.design));
}

std::string AcceptancePlot(const PlanReport& report, double threshold) {
  std::string svg = OpenPlot("Acceptance curves", "height: share of pairs found", threshold);
  for (int i = 0; i <= 4; ++i) svg += YTick(i / 4.0, fmt::format("{}", i / 4.0));
  for (size_t i = 0; i < report.searches.size(); ++i) {
    const PlannedSearch& search = report.searches[i];
    if (i != report.chosen && search.design != "exact") svg += Curve(search, false);
  }
  if (report.searches[report.chosen].design != "exact") {
    svg += Curve(report.searches[report.chosen], true);
  }
  return svg + "</svg>\n";
}

/// Plots pairs by resemblance on a logarithmic scale, as they fall by orders of magnitude.
std::string SimilarityPlot(const PlanReport& report, double threshold) {
  double most = 10;
  for (const auto& [from, pairs] : report.similarity) most = std::max(most, pairs);
  const double decades = std::ceil(std::log10(most));
  std::string svg = OpenPlot("Pairs by resemblance", "height: pairs expected", threshold);
  for (int i = 0; i <= decades; ++i) {
    svg += YTick(i / decades, Count(static_cast<uint64_t>(std::llround(std::pow(10, i)))));
  }
  for (const auto& [from, pairs] : report.similarity) {
    if (pairs < 1) continue;
    const double height = std::max(0.01, std::log10(pairs) / decades);
    svg += fmt::format(
        "<rect class=\"bar{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{:.2f} to {:.2f}: {}</title></rect>\n",
        from + 1e-9 >= threshold ? " alike" : "", X(from) + 1, Y(height), kWidth * 0.05 - 2,
        height * kHeight, from, from + 0.05,
        Count(static_cast<uint64_t>(std::llround(pairs)), "pair"));
  }
  return svg + "</svg>\n";
}

std::string Table(const PlanReport& report) {
  std::string html =
      "<table><tr><th>design<th>keys<th>recall at the threshold<th>recall<th>candidates"
      "<th>CPU time<th>memory<th>scratch</tr>\n";
  for (size_t i = 0; i < report.searches.size(); ++i) {
    const PlannedSearch& search = report.searches[i];
    html += fmt::format(
        "<tr{}><td>{}<td>{}<td>{:.4f}<td>{:.4f}<td>{}<td>{}<td>{}{}<td>{}</tr>\n",
        i == report.chosen ? " class=\"chosen\"" : "", Escape(search.design), Count(search.keys),
        search.recall_at_threshold, search.recall, Count(search.candidates),
        Duration(search.seconds), Bytes(static_cast<double>(search.memory_bytes)),
        search.fits ? "" : " (too little)",
        search.disk_bytes == 0 ? "none" : Bytes(static_cast<double>(search.disk_bytes)));
  }
  return html + "</table>\n";
}

std::string Section(std::string_view title, std::string_view remark, const std::string& content) {
  return fmt::format("<section><h2>{}</h2>\n{}<p class=\"muted\">{}</p></section>\n", title,
                     content, remark);
}

}  // namespace

std::string ToPage(const PlanReport& report, const Request& request) {
  const double threshold = request.options.threshold;
  const PlannedSearch& chosen = report.searches[report.chosen];
  std::string page(kHead);
  page += fmt::format(
      "<h1>{} would take {} of CPU time</h1>\n<p>Expected: {} of resemblance {} or more, {} of "
      "them exact copies. A share of {:.4f} would be found.</p>\n"
      "<p class=\"muted\">Estimated from {} of {}{}; {}; {:.0f} shingles per document.</p>\n",
      "Removing duplicates", Duration(chosen.seconds), Count(report.pairs, "pair"), threshold,
      Count(report.copy_pairs), chosen.recall, Count(report.documents_read, "document"),
      report.read_whole ? "" : "about ", Count(report.documents),
      Bytes(static_cast<double>(report.bytes)), report.features);
  page += Section("Acceptance curves",
                  fmt::format("Blue: {}, the design that dedup uses with these options. Grey: "
                              "other designs that reach a recall of {} at the threshold (dashed).",
                              Escape(chosen.design), request.options.recall),
                  AcceptancePlot(report, threshold));
  page += Section("Pairs by resemblance",
                  "Estimated from the sample. Orange: at or above the threshold.",
                  SimilarityPlot(report, threshold));
  page += Section("Designs", "Bold: the search that dedup runs with these options.", Table(report));
  return page + "</html>\n";
}

}  // namespace lookalike::cli
