// Files that the reader takes along: rows as CSV and JSONL, a comparison as a page of its own.

import type { Segment } from "../../report/src/data";
import { wellFormed } from "./api";
import type { ClusterRow, Decision, Doc } from "./types";

export function toJsonl(rows: unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

type Cell = string | number | null;

export function toCsv(columns: string[], rows: Cell[][]): string {
  return [columns, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

// A spreadsheet runs a cell that begins like a formula; a leading apostrophe makes it text.
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const kClusterColumns = [
  "cluster", "size", "kept_id", "source", "row", "near", "copies", "lowest", "highest", "decisions",
];

export function clustersToCsv(rows: ClusterRow[]): string {
  return toCsv(
    kClusterColumns,
    rows.map((r) => [
      r.cluster, r.size, r.kept?.id ?? null, r.kept?.source ?? null, r.kept?.row ?? null, r.near,
      r.copies, r.lowest, r.highest, r.decisions,
    ]),
  );
}

/** Decisions in the form of the decisions file: documents by input and row. */
export function decisionsToJsonl(decisions: Decision[]): string {
  return toJsonl(
    decisions.map(({ decision, cluster, documents }) => ({
      decision,
      cluster,
      documents: documents.map(({ source, row, id }: Doc) => ({ source, row, id })),
    })),
  );
}

/** Saves a file. The address of a blob is given up later: some browsers fetch it with delay. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export interface ExportedSide {
  id: string;
  source: string;
  segments: Segment[];
}

export interface ExportedComparison {
  sides: [ExportedSide, ExportedSide];
  measures: [name: string, value: string][];
}

// The page has no script, and its policy lets nothing be loaded.
const kPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const kStyle = `
:root{color-scheme:light dark;--paper:#f6f8fb;--ink:#17202e;--muted:#556174;--rule:#d6dde7;
--kept:#2455b8;--near:#bf4a10;--kept-tint:#eaf1fc;--near-tint:#fde5d4}
@media(prefers-color-scheme:dark){:root{--paper:#10151e;--ink:#e4e9f1;--muted:#9ba8bb;
--rule:#2c3748;--kept:#86adf5;--near:#f2965c;--kept-tint:#1b2942;--near-tint:#4a2a14}}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--paper);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font:700 1.45rem/1.3 Charter,Cambria,Georgia,serif}
h2{margin:0;font:600 1rem/1.4 ui-monospace,Consolas,monospace}
dl{display:flex;flex-wrap:wrap;gap:0 1.5rem}dt,dd{display:inline;margin:0}dt{color:var(--muted)}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem}
.a{border-top:4px solid var(--kept)}.b{border-top:4px double var(--near)}
pre{white-space:pre-wrap;unicode-bidi:plaintext;font:1rem/1.65 Charter,Cambria,Georgia,serif}
.shared{background:var(--kept-tint)}
mark{background:var(--near-tint);color:inherit;font-weight:600;
text-decoration:underline 2px var(--near)}
@media(max-width:46rem){.pair{grid-template-columns:minmax(0,1fr)}}
`;

/** A comparison as one page without a script, for somebody who cannot reach the server. */
export function comparisonPage({ sides, measures }: ExportedComparison): string {
  const facts = measures.map(
    ([name, value]) => `<div><dt>${escaped(name)}</dt> <dd>${escaped(value)}</dd></div>`,
  );
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${kPolicy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    "<title>Lookalike comparison</title>",
    `<style>${kStyle}</style></head>`,
    "<body><main><h1>Two documents compared</h1>",
    `<dl>${facts.join("")}</dl>`,
    '<p><span class="shared">in both</span> <mark>only in this one</mark></p>',
    `<div class="pair">${sides.map(exportedSide).join("")}</div>`,
    "</main></body></html>",
    "",
  ].join("\n");
}

function exportedSide({ id, source, segments }: ExportedSide, i: number): string {
  const text = segments.map(([part, shared]) =>
    shared === 1 ? `<span class="shared">${escaped(part)}</span>` : `<mark>${escaped(part)}</mark>`,
  );
  // A line break directly behind <pre> would be dropped, so there is always one to drop.
  return (
    `<section class="${i === 0 ? "a" : "b"}"><h2><bdi dir="auto">${escaped(id)}</bdi></h2>` +
    (source === "" ? "" : `<p><bdi dir="auto">${escaped(source)}</bdi></p>`) +
    `<pre dir="auto">\n${text.join("")}</pre></section>`
  );
}

const kEscapes: Record<string, string> = {
  "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\0": "\ufffd",
};

export function escaped(text: string): string {
  return wellFormed(text).replace(/[&<>"'\0]/g, (c) => kEscapes[c] ?? c);
}
