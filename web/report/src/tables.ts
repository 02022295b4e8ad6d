// Inputs, options and the statistics of clusters: plain tables.

import type { InputCounts, ReportData } from "./data";
import { add, foreign, h, scroller, table, type Child } from "./dom";
import { wordsOf, type Words } from "./measure";
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

function inputsTable(data: ReportData, limit: number): HTMLTableElement {
  const rows = data.inputs
    .slice(0, limit)
    .map((input) => inputCells(input, wordsOf(data)));
  const numbers = ["Records", "Kept", "Removed", "Share removed", "Rejected"];
  return table(
    "What came from each input",
    [{ name: "Input" }, ...numbers.map((name) => ({ name, numeric: true }))],
    rows,
  );
}

function inputCells(input: InputCounts, { measure }: Words): Child[] {
  const { records, kept, removed, rejected } = input;
  if (measure === "containment" && input.reference === true) {
    const stays = h("span", { class: "muted" }, "reference, stays as it is");
    const name = h("span", {}, foreign(input.name), stays);
    return [name, count(records), "–", "–", "–", count(rejected)];
  }
  const counts = [records, kept, removed].map(count);
  return [foreign(input.name), ...counts, percent(removed, records), count(rejected)];
}

export function drawOptions(root: HTMLElement, data: ReportData): void {
  const rows = data.options.map(([flag, value]) => [
    h("code", {}, foreign(flag, "")),
    value === "" ? h("span", { class: "muted" }, "not given") : h("code", {}, foreign(value, "")),
  ]);
  const { command } = data;
  const field = data.fields?.text ?? null;
  if (field !== null) {
    const line = h("p", { class: "intro" }, "The text that was compared is in the field ");
    add(root, add(line, h("code", {}, foreign(field, "")), "."));
  }
  if (command !== undefined) {
    const line = h("p", { class: "intro command" }, "This command line gives the same result: ");
    add(root, add(line, h("code", {}, foreign(command, ""))));
  }
  if (rows.length === 0) {
    add(root, h("p", { class: "empty" }, "No options were recorded."));
    return;
  }
  const columns = [{ name: "Option" }, { name: "Value" }];
  add(root, scroller("Options", table("Options in force", columns, rows)));
}

export function statisticsTable({ statistics: s }: ReportData, words: Words): HTMLElement {
  const documents = s.unique + s.in_clusters;
  const rows = [
    [words.inNoCluster, count(s.unique), percent(s.unique, documents)],
    [words.inClusters, count(s.in_clusters), percent(s.in_clusters, documents)],
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
    h("h3", {}, words.statisticsTitle),
    scroller("Statistics", table("Statistics of the collection", columns, rows)),
  );
}
