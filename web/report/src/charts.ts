// The charts: how alike what was removed is, cluster sizes, and the acceptance curve.

import uPlot from "uplot";
import { acceptancePlot } from "./acceptance_plot";
import {
  axis,
  drawEmptyFrame,
  drawFrame,
  powersOfTen,
  type Palette,
  type Plot,
  type Redraw,
} from "./chart_frame";
import type { AuditPoint, ReportData } from "./data";
import { add, h, table } from "./dom";
import { histogramOf, wordsOf, type Words } from "./measure";
import { capital, count, counted, percent, share, trimmed, wilson } from "./numbers";
import { statisticsTable } from "./tables";

/** Draws the charts; the result draws them again in the colours then in force. */
export function drawCharts(root: HTMLElement, data: ReportData): Redraw {
  const grid = h("div", { class: "charts" });
  add(root, grid);
  const words = wordsOf(data);
  const redraws = [drawHistogram(grid, data, words), drawClusterSizes(grid, data, words)];
  // Samples find what contains what: there is no design whose chance depends on resemblance.
  if (words.measure === "resemblance") redraws.push(drawAcceptance(grid, data));
  add(grid, statisticsTable(data, words));
  return (printing) => {
    for (const redraw of redraws) redraw?.(printing);
  };
}

function drawClusterSizes(root: HTMLElement, data: ReportData, words: Words): Redraw | null {
  const title = "Cluster sizes";
  const points = data.cluster_sizes.filter(([size, clusters]) => size > 0 && clusters > 0);
  const last = points[points.length - 1];
  if (last === undefined) {
    drawEmptyFrame(root, title, `No cluster was found: ${words.noCluster}.`);
    return null;
  }
  const sizes = points.map(([size]) => size);
  const clusters = points.map(([, n]) => n);
  const most = clusters.reduce((a, b) => Math.max(a, b), 1);
  return drawFrame(root, {
    title,
    caption: [
      "Each dot shows how many clusters (height) have how many documents (to the right). Both ",
      "scales grow tenfold from line to line. Dots far to the right are groups worth a look below.",
    ],
    label:
      `Chart of cluster sizes on logarithmic scales: ${counted(points.length, "size")}, ` +
      `from ${count(sizes[0] ?? 0)} to ${count(last[0])} documents, ` +
      `at most ${counted(most, "cluster")} of one size.`,
    plot: {
      data: [sizes, clusters],
      options: (palette) => ({
        scales: { x: logScale(last[0]), y: logScale(most) },
        axes: [
          axis(palette, 2, "documents in the cluster", logAxis(last[0])),
          axis(palette, 3, "clusters", logAxis(most)),
        ],
        series: [{}, dots(palette)],
      }),
      readout: (i) =>
        i === null ? null : `${counted(clusters[i] ?? 0, "cluster")} of ${count(sizes[i] ?? 0)}`,
    },
    table: table(
      "Number of clusters by size",
      [{ name: "Documents", numeric: true }, { name: "Clusters", numeric: true }],
      points.map(([size, n]) => [count(size), count(n)]),
    ),
  });
}

// A little room outside the first and last power keeps dots on them whole.
function logScale(most: number): uPlot.Scale {
  const top = powersOfTen(Math.max(most, 10)).at(-1) ?? 10;
  return { time: false, distr: 3, range: [0.75, top * 1.3] };
}

function logAxis(most: number): uPlot.Axis {
  const powers = powersOfTen(Math.max(most, 10));
  return { splits: () => powers, filter: (_u, splits) => splits, values: (_u, v) => v.map(power) };
}

function power(n: number): string {
  return n < 1e6 ? count(n) : `10${superscript(Math.round(Math.log10(n)))}`;
}

function superscript(n: number): string {
  return [...String(n)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)] ?? "").join("");
}

function dots({ near }: Palette): uPlot.Series {
  return {
    stroke: near,
    paths: () => null,
    points: { show: true, size: 7, fill: near, stroke: near, width: 0 },
  };
}

function drawHistogram(root: HTMLElement, data: ReportData, words: Words): Redraw | null {
  const { measure, near, nears } = words;
  const title = `${capital(measure)} of what was removed`;
  const { from, width, counts } = histogramOf(data);
  const total = counts.reduce((a, b) => a + b, 0);
  if (total === 0) {
    drawEmptyFrame(root, title, `No ${near} was removed, so there is nothing to count.`);
    return null;
  }
  const edge = (i: number) => from + i * width;
  const range = (i: number) => `${trimmed(edge(i), 4)}–${trimmed(Math.min(1, edge(i + 1)), 4)}`;
  const starts = counts.map((_, i) => edge(i));
  const end = edge(counts.length);
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const plot = (heights: (number | null)[], y: uPlot.Scale, yAxis: uPlot.Axis): Plot => ({
    data: [starts, heights],
    options: (palette) => ({
      scales: { x: { time: false, range: [from, end] }, y },
      axes: [
        axis(palette, 2, words.histogramAxis, { grid: { show: false } }),
        axis(palette, 3, "documents", { size: 56, ...yAxis }),
      ],
      series: [{}, bars(palette)],
      // The bar under the pointer, not the one whose left edge is nearest.
      cursor: { dataIdx: (_u, _series, _nearest, x) => Math.floor((x - from) / width + 1e-9) },
    }),
    readout: (i) => {
      if (i === null) return null;
      const n = counts[i] ?? 0;
      return `${range(i)}: ${counted(n, "document")} (${percent(n, total)})`;
    },
  });
  return drawFrame(root, {
    title,
    caption: [
      words.histogramCaption,
      ` at the left edge (${data.threshold}) they just qualify.`,
    ],
    label:
      `Histogram of the ${measure} of ${counted(total, `removed ${near}`, `removed ${nears}`)}; ` +
      `the highest bar, ${count(most)}, is at ${range(counts.indexOf(most))}.`,
    plot: plot(counts, { range: [0, most * 1.06] }, { values: (_u, v) => v.map(wholeCount) }),
    logarithmic: plot(
      counts.map((n) => (n > 0 ? n : null)),
      logScale(most),
      logAxis(most),
    ),
    table: table(
      `${capital(nears)} removed, by ${measure}`,
      [{ name: capital(measure) }, { name: "Documents", numeric: true }],
      counts.map((n, i) => [range(i), count(n)]),
    ),
  });
}

function wholeCount(n: number): string {
  return Number.isInteger(n) ? count(n) : "";
}

function bars({ near }: Palette): uPlot.Series {
  const build = uPlot.paths.bars?.({ align: 1, size: [1, Infinity], gap: 2 });
  return {
    fill: near,
    width: 0,
    points: { show: false },
    ...(build === undefined ? {} : { paths: build }),
  };
}

/** Says why the chart has no dots; a job on Spark measures recall, but not by resemblance. */
function whyNoPoints(data: ReportData): string {
  if (data.recall.sampled_documents === 0) return " Nothing was measured: there was no audit.";
  if (data.recall.sampled_pairs > 0) return "";
  return " The audit's sample held no similar pair, so nothing was measured.";
}

function drawAcceptance(root: HTMLElement, data: ReportData): Redraw | null {
  const title = "The chance of finding a pair";
  const curve = data.acceptance ?? [];
  if (curve.length === 0) {
    const why =
      data.method === "exact"
        ? "This run used the exact method: every pair of documents that could be alike was " +
          "compared, so there is no acceptance curve."
        : "The run recorded no acceptance curve.";
    drawEmptyFrame(root, title, why);
    return null;
  }
  const points = (data.audit_points ?? []).filter((point) => point.pairs > 0);
  const measured =
    points.length === 0
      ? whyNoPoints(data)
      : " The dots are what the audit measured, with 95 % error bars.";
  return drawFrame(root, {
    title,
    caption: [
      "The chance that two documents are compared, by their resemblance. A good curve is low ",
      "at the left (no time lost on unlike pairs) and near 1 right of the dashed threshold ",
      `(${data.threshold}).${measured}`,
      ...(data.design ? [" Design ", h("code", {}, data.design), "."] : []),
    ],
    label:
      `Acceptance curve: chance of comparison by resemblance, ${chanceAt(curve, data.threshold)}` +
      ` at the threshold ${data.threshold}. ${counted(points.length, "measured point")}.`,
    plot: acceptancePlot(curve, points, data.threshold),
    table: acceptanceTable(curve, points),
  });
}

function chanceAt(curve: [number, number][], resemblance: number): string {
  const at = curve.find(([j]) => j >= resemblance) ?? curve[curve.length - 1];
  return at === undefined ? "unknown" : share(at[1]);
}

function acceptanceTable(curve: [number, number][], points: AuditPoint[]): HTMLTableElement {
  const designed = curve.map(([j, p]) => [trimmed(j, 4), share(p, 4), "", ""]);
  const measured = points.map(({ from, to, pairs, found }) => {
    const { low, high } = wilson(found, pairs);
    return [
      `${trimmed(from, 4)}–${trimmed(Math.min(1, to), 4)}`,
      "",
      `${share(found / pairs, 4)} (${share(low)}–${share(high)})`,
      `${count(found)} of ${count(pairs)}`,
    ];
  });
  return table(
    "Chance of comparison by resemblance: measured, then designed",
    [
      { name: "Resemblance" },
      { name: "Designed", numeric: true },
      { name: "Measured", numeric: true },
      { name: "Pairs found", numeric: true },
    ],
    [...measured, ...designed],
  );
}
