// The top of the page: what happened, in one sentence, one bar and four figures.

import type { ReportData } from "./data";
import { add, foreign, h, type Child } from "./dom";
import { bytes, count, counted, percent, share } from "./numbers";

export function drawSummary(root: HTMLElement, data: ReportData): void {
  add(root, h("h1", { class: "lead" }, ...leadSentence(data)));
  const tally = drawTally(data);
  add(root, tally, ...warnings(data), figures(data), ...remarks(data), glossary(data));
}

/** The page's title: tells reports apart in a row of browser tabs. */
export function pageTitle({ records }: ReportData): string {
  return `Lookalike: ${count(records.kept)} of ${counted(records.in, "document")} kept`;
}

function leadSentence({ records, recall }: ReportData): Child[] {
  if (records.in === 0) return ["No document was read: the inputs hold no records."];
  const removed = records.removed_exact + records.removed_near;
  const opening: Child[] = [
    strong(counted(records.in, "document")),
    " in; ",
    strong(`${count(records.kept)} kept`, "kept"),
    ` (${percent(records.kept, records.in)})`,
  ];
  if (removed === 0) {
    const rest = recall.estimate === null ? "" : recallClause(recall);
    return [...opening, `; none removed, for no two were found alike${rest}.`];
  }
  return [
    ...opening,
    ", ",
    strong(`${count(removed)} removed`, "removed"),
    `: ${counted(records.removed_exact, "copy", "copies")} and `,
    h("span", { class: "whole" }, counted(records.removed_near, "near-duplicate")),
    "; every removal was checked exactly",
    recallClause(recall),
    ".",
  ];
}

function recallClause(recall: ReportData["recall"]): string {
  if (recall.estimate === null) return "; recall could not be measured on the sample";
  return `; measured recall ${share(recall.estimate)}${interval(recall)}`;
}

function interval({ low, high }: ReportData["recall"]): string {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  return ` (${share(low)}–${share(high)})`;
}

/** A number and its word, kept in one line. */
function strong(text: string, className = "counted"): HTMLElement {
  return h("strong", { class: className }, text.replaceAll(" ", "\u00a0"));
}

interface Part {
  name: string;
  n: number;
  kind: "kept" | "copies" | "near" | "rejected";
}

function drawTally({ records }: ReportData): Child {
  if (records.in === 0) return null;
  const parts: Part[] = [
    { name: "Kept", n: records.kept, kind: "kept" },
    { name: "Copies removed", n: records.removed_exact, kind: "copies" },
    { name: "Near-duplicates removed", n: records.removed_near, kind: "near" },
    { name: "Rejected as malformed", n: records.rejected, kind: "rejected" },
  ];
  const shown = parts.filter((part) => part.n > 0);
  const bars = shown.map((part) => {
    const bar = h("span", { class: `tally-part ${part.kind}` });
    bar.style.flexGrow = String(part.n / records.in);
    return bar;
  });
  const items = shown.map((part) =>
    h(
      "li",
      {},
      h("span", { class: `swatch ${part.kind}`, "aria-hidden": "true" }),
      `${part.name} `,
      h("b", {}, count(part.n)),
      h("span", { class: "muted" }, ` ${percent(part.n, records.in)}`),
    ),
  );
  return h(
    "div",
    { class: "tally" },
    h("div", { class: "tally-bar", "aria-hidden": "true" }, ...bars),
    h("ul", { class: "tally-key" }, ...items),
  );
}

function warnings(data: ReportData): HTMLElement[] {
  const { records, recall } = data;
  const found: HTMLElement[] = [];
  if (!recall.met) {
    const upTo =
      typeof recall.high === "number" ? `at most ${share(recall.high)} by the audit` : "lower";
    found.push(
      warning("Recall was not met. ", `${share(recall.asked)} was asked, and it is ${upTo}. `,
        "What was removed is right, but more near-duplicates than intended are left. " +
        "Run again with a higher --recall, or with --method exact."));
  }
  if (records.rejected > 0) {
    found.push(
      warning(`${counted(records.rejected, "record")} rejected. `,
        "They could not be read as documents. rejected.jsonl says where and why; " +
        "their raw bytes are in the folder rejected."));
  }
  const skipped = data.inputs_skipped ?? [];
  if (skipped.length > 0) {
    const items = skipped.map((s) => h("li", {}, foreign(s.name), ": ", foreign(s.reason, "")));
    const box = warning(`${counted(skipped.length, "input")} skipped. `, "Not read to the end:");
    found.push(add(box, h("ul", {}, ...items)));
  }
  return found;
}

function warning(title: string, ...text: Child[]): HTMLElement {
  return h("div", { class: "notice warning" }, h("strong", {}, title), ...text);
}

function figures(data: ReportData): HTMLElement {
  const { records, recall } = data;
  const removed = records.removed_exact + records.removed_near;
  const saved = data.bytes.in - data.bytes.kept;
  return h(
    "dl",
    { class: "figures" },
    figure("Kept", count(records.kept), `${percent(records.kept, records.in)} of the documents`),
    figure(
      "Removed",
      count(removed),
      removed === 0
        ? "no document"
        : `${percent(removed, records.in)}; each has a kept document it was checked against`,
    ),
    figure(
      "Recall",
      recall.estimate === null ? "not measured" : share(recall.estimate),
      recallNote(recall),
    ),
    figure(
      "Space saved",
      bytes(saved),
      `${percent(saved, data.bytes.in)} of ${bytes(data.bytes.in)}`,
    ),
  );
}

function recallNote(recall: ReportData["recall"]): string {
  const sample = counted(recall.sampled_documents, "sampled document");
  if (recall.estimate === null) return `asked ${share(recall.asked)}; no true pair in ${sample}`;
  const range = interval(recall).replace(/[()]/g, "");
  return (
    `${range === "" ? "" : `95 % interval${range}, `}asked ${share(recall.asked)}; measured on ` +
    `${counted(recall.sampled_pairs, "true pair")} of ${sample}`
  );
}

function figure(name: string, value: string, note: string): HTMLElement {
  return h(
    "div",
    { class: "figure" },
    h("dt", {}, name),
    h("dd", { class: "figure-value" }, value),
    h("dd", { class: "figure-note" }, note),
  );
}

function remarks({ records, recall }: ReportData): HTMLElement[] {
  const lines: string[] = [];
  if (recall.left_over > 0) {
    lines.push(
      `In the audit's sample ${counted(recall.left_over, "pair")} at or above the threshold ` +
        `${recall.left_over === 1 ? "is" : "are"} still among the kept documents.`,
    );
  }
  if (records.null_text > 0) {
    lines.push(`${counted(records.null_text, "document")} without text (null) were kept.`);
  }
  if (records.repaired_text > 0) {
    lines.push(
      `${counted(records.repaired_text, "document")} had invalid characters. They were replaced ` +
        "for comparing only; the rows are as they came.",
    );
  }
  return lines.length === 0 ? [] : [h("p", { class: "remarks" }, lines.join(" "))];
}

function glossary({ threshold, method }: ReportData): HTMLElement {
  const terms: [string, string][] = [
    [
      "Resemblance",
      "The share of features (by default runs of five words) that two documents have in common, " +
        "of all that either has: 0 for nothing, 1 for everything.",
    ],
    [
      "Near-duplicate",
      `A document whose resemblance to a kept one, computed exactly, is ${threshold} or more.`,
    ],
    ["Copy", "A document with the same bytes as another, or the same words in the same order."],
    [
      "Cluster",
      "A kept document with those that were removed for it; with --cluster components, all " +
        "documents that are linked by such pairs.",
    ],
    [
      "Recall",
      "Of the pairs that truly are alike, the share that was found. The run measures it: it " +
        "compares a sample of documents with all the others and counts. The numbers in brackets " +
        "are a 95 % interval." +
        (method === "exact" ? " This run compared exactly, so nothing should be missed." : ""),
    ],
  ];
  return h(
    "details",
    { class: "glossary" },
    h("summary", {}, "What the words mean"),
    h("dl", {}, ...terms.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
  );
}
