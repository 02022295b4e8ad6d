// The top of the page: what happened, in one sentence, one bar and four figures.

import { kInputOrder, type ReportData } from "./data";
import { add, foreign, h, type Child } from "./dom";
import { wordsOf, type Words } from "./measure";
import { bytes, capital, count, counted, percent, share } from "./numbers";

export function drawSummary(root: HTMLElement, data: ReportData): void {
  const words = wordsOf(data);
  add(
    root,
    h("h1", { class: "lead" }, ...leadSentence(data, words)),
    drawTally(data, words),
    ...warnings(data, words),
    figures(data, words),
    ...remarks(data, words),
    ...keptBy(data),
    glossary(data, words),
  );
}

/** The page's title: tells reports apart in a row of browser tabs. */
export function pageTitle({ records }: ReportData): string {
  return `Lookalike: ${count(records.kept)} of ${counted(records.in, "document")} kept`;
}

function leadSentence({ records, recall }: ReportData, words: Words): Child[] {
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
    return [...opening, `; none removed, because ${words.noneAlike}${rest}.`];
  }
  return [
    ...opening,
    ", ",
    strong(`${count(removed)} removed`, "removed"),
    `: ${counted(records.removed_exact, "copy", "copies")} and `,
    ...unbroken(counted(records.removed_near, words.nearAtFirst, words.nearsAtFirst)),
    "; every removal was checked exactly",
    recallClause(recall),
    ".",
  ];
}

function recallClause(recall: ReportData["recall"]): string {
  if (recall.sampled_documents === 0) return "; recall was not measured";
  if (recall.estimate === null) return "; recall could not be measured on the sample";
  return `; measured recall ${share(recall.estimate)}${interval(recall)}`;
}

function interval({ low, high }: ReportData["recall"]): string {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  return ` (${share(low)}–${share(high)})`;
}

/** A number and the word behind it in one line, in spite of a hyphen; more words may follow. */
function unbroken(text: string): Child[] {
  const [number, word, ...more] = text.split(" ");
  return [h("span", { class: "whole" }, `${number} ${word}`), ["", ...more].join(" ")];
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

function drawTally({ records }: ReportData, words: Words): Child {
  if (records.in === 0) return null;
  const parts: Part[] = [
    { name: "Kept", n: records.kept, kind: "kept" },
    { name: "Copies removed", n: records.removed_exact, kind: "copies" },
    { name: `${capital(words.nears)} removed`, n: records.removed_near, kind: "near" },
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

function warnings(data: ReportData, words: Words): HTMLElement[] {
  const { records, recall } = data;
  const found: HTMLElement[] = [];
  const leftOut = recall.covers?.left_out ?? 0;
  if (!recall.met && leftOut > 0 && recall.estimate === null) {
    found.push(
      warning("Nothing was compared. ", "All documents of a collection have fewer than " +
        `${recall.covers?.min_features} distinct shingles. Run again with a lower --min-features.`));
  } else if (!recall.met) {
    const upTo =
      typeof recall.high === "number" ? `at most ${share(recall.high)} by the audit` : "lower";
    found.push(
      warning("Recall was not met. ", `${share(recall.asked)} was requested, but it is ${upTo}. `,
        `The removals are correct, but more ${words.nears} than intended are left. ` +
        "Run again with a higher --recall, or with --method exact."));
  }
  if (records.rejected > 0) {
    found.push(
      warning(`${counted(records.rejected, "record")} rejected. `,
        "They could not be read as documents. The results list them under the name rejected: " +
        "where, why, and their raw bytes."));
  }
  const skipped = data.inputs_skipped ?? [];
  if (skipped.length > 0) {
    const items = skipped.map((s) => h("li", {}, foreign(s.name), ": ", foreign(s.reason, "")));
    const more = data.inputs_skipped_left_out ?? 0;
    if (more > 0) items.push(h("li", {}, `and ${counted(more, "other")}: see manifest.json`));
    const all = counted(skipped.length + more, "input");
    const box = warning(`${all} skipped. `, "Not read to the end:");
    found.push(add(box, h("ul", {}, ...items)));
  }
  return found;
}

function warning(title: string, ...text: Child[]): HTMLElement {
  return h("div", { class: "notice warning" }, h("strong", {}, title), ...text);
}

function figures(data: ReportData, words: Words): HTMLElement {
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
        : `${percent(removed, records.in)}; ${words.checked}`,
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
  const requested = `requested ${share(recall.asked)}`;
  if (recall.sampled_documents === 0) return `${requested}; no sample was taken`;
  if (recall.estimate === null) return `${requested}; no true pair in ${sample}`;
  const range = interval(recall).replace(/[()]/g, "");
  return (
    `${range === "" ? "" : `95 % interval${range}, `}${requested}; measured on ` +
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

function remarks({ records, recall }: ReportData, words: Words): HTMLElement[] {
  const lines: string[] = [];
  if (recall.left_over > 0) {
    const pairs = counted(recall.left_over, "pair");
    lines.push(`In the audit's sample ${words.leftOver(pairs, recall.left_over === 1)}.`);
  }
  const { documents = 0, left_out = 0, min_features = 1 } = recall.covers ?? {};
  if (left_out > 0) {
    lines.push(
      `${counted(left_out, "document")} with fewer than ${min_features} distinct shingles were ` +
        `not compared. The recall is about the other ${count(documents)}.`,
    );
  }
  if (records.null_text > 0) {
    lines.push(`${counted(records.null_text, "document")} without text (null) were kept.`);
  }
  if (records.repaired_text > 0) {
    lines.push(
      `${counted(records.repaired_text, "document")} had invalid characters. They were replaced ` +
        "for comparing only; the rows are unchanged.",
    );
  }
  return lines.length === 0 ? [] : [h("p", { class: "remarks" }, lines.join(" "))];
}

/** What decided which documents stay; what the order of the inputs decided is said by itself. */
function keptBy({ kept_by: keptBy = {} }: ReportData): HTMLElement[] {
  const removals = Object.values(keptBy).reduce((sum, n) => sum + n, 0);
  if (removals === 0) return [];
  const criteria = Object.entries(keptBy).filter(([name]) => name !== kInputOrder);
  const items = criteria.flatMap(([name, n], i): Child[] => [
    i === 0 ? "" : ", ",
    foreign(name),
    ` ${count(n)}`,
  ]);
  const byOrder = keptBy[kInputOrder] ?? 0;
  const flag = `${count(byOrder)} of ${counted(removals, "removal")} ` +
    `${byOrder === 1 ? "was" : "were"} decided by the order of the inputs only.`;
  return [
    h(
      "p",
      { class: "remarks kept-by" },
      "Removals by the criterion of --keep that decided: ",
      ...items,
      ". ",
      byOrder > 0 && h("strong", {}, flag),
    ),
  ];
}

function glossary({ threshold, method }: ReportData, words: Words): HTMLElement {
  const terms: [string, string][] = [
    ...words.glossary(threshold),
    ["Copy", "A document with the same bytes as another, or the same words in the same order."],
    ["Cluster", words.clusterMeaning],
    [
      "Recall",
      "The share of truly similar pairs that was found. The run measures it by comparing a " +
        "sample of documents with all the others. The numbers in brackets are a 95 % interval." +
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
