// Inputs, options and the statistics of clusters: plain tables.

import type { ReportData } from "./data";
import { add, foreign, h, scroller, table } from "./dom";
import { count, counted, percent, trimmed } from "./numbers";

const kFirstInputs = 20;

export function drawInputs(root: HTMLElement, data: ReportData): void {
  const { inputs } = data;
  const leftOut = data.inputs_left_out ?? 0;
  if (inputs.length === 0) {
    add(root, h("p", { class: "empty" }, "The run had no inputs."));
    return;
  }
  const box = scroller("Inputs", inputsTable(data, kFirstInputs));
  add(root, box);
  if (inputs.length > kFirstInputs) {
    const more = h("button", { type: "button" }, `Show all ${count(inputs.length)}`);
    more.addEventListener("click", () => {
      box.replaceChildren(inputsTable(data, inputs.length));
      more.remove();
      box.focus();
    });
    add(root, more);
  }
  if (leftOut > 0) {
    add(root, h("p", { class: "muted" }, `${counted(leftOut, "further input")} not listed here.`));
  }
}

function inputsTable({ inputs }: ReportData, limit: number): HTMLTableElement {
  const rows = inputs
    .slice(0, limit)
    .map((input) => [
      foreign(input.name),
      count(input.records),
      count(input.kept),
      count(input.removed),
      percent(input.removed, input.records),
      count(input.rejected),
    ]);
  const numbers = ["Records", "Kept", "Removed", "Share removed", "Rejected"];
  return table(
    "What came from each input",
    [{ name: "Input" }, ...numbers.map((name) => ({ name, numeric: true }))],
    rows,
  );
}

export function drawOptions(root: HTMLElement, data: ReportData): void {
  const rows = data.options.map(([flag, value]) => [
    h("code", {}, foreign(flag, "")),
    h("code", {}, foreign(value, "")),
  ]);
  if (rows.length === 0) {
    add(root, h("p", { class: "empty" }, "No options were recorded."));
    return;
  }
  const columns = [{ name: "Option" }, { name: "Value" }];
  add(root, scroller("Options", table("Options in force", columns, rows)));
}

export function statisticsTable({ statistics: s }: ReportData): HTMLElement {
  const documents = s.unique + s.in_clusters;
  const rows = [
    ["Unique documents (in no cluster)", count(s.unique), percent(s.unique, documents)],
    ["Documents in clusters", count(s.in_clusters), percent(s.in_clusters, documents)],
    ["Clusters", count(s.clusters), ""],
    ["Clusters of two", count(s.clusters_of_two), percent(s.clusters_of_two, s.clusters)],
    ["Mean cluster size", s.clusters > 0 ? trimmed(s.mean_size, 2) : "–", ""],
    ["Largest cluster", s.clusters > 0 ? count(s.largest) : "–", ""],
  ];
  const columns = [
    { name: "" },
    { name: "Number", numeric: true },
    { name: "Share", numeric: true },
  ];
  return h(
    "div",
    { class: "chart" },
    h("h3", {}, "Unique documents and clusters"),
    scroller("Statistics", table("Statistics of the collection", columns, rows)),
  );
}
