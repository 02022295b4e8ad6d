// A cluster opened: the document that stays and one member of the cluster, side by side.

import type { DocumentRef, Member, Segment } from "./data";
import { add, foreign, h, type Child } from "./dom";
import { decidedBy, type Words } from "./measure";
import { count, counted, share } from "./numbers";
import { rowsOf, type Span } from "./rows";

// Of a long shared passage only the ends are shown, so that differences are met without scrolling.
// Where containment decided, or the two are not much alike, the most of a text may be in one document
// only: so it is with that.
const kFoldEnds = 240;
const kFoldLeast = 220;
const kNotMuchAlike = 0.5;
// With differences only, a shared passage of more characters than this becomes one line.
const kShownWhole = 40;
// A list entry cannot wrap.
const kEntryLength = 60;
const kDirectionalMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export interface ComparisonOptions {
  /** Members that are not among `members`. */
  leftOut?: number;
  /** There is one member, and nothing to choose from. */
  alone?: boolean;
  /** Shared passages become one line each. */
  onlyDifferences?: boolean;
}

/** Draws the kept document beside the first of `members`. The panel's id must be set. */
export function drawComparison(
  panel: HTMLElement,
  kept: DocumentRef,
  members: Member[],
  words: Words,
  { leftOut = 0, alone = false, onlyDifferences = false }: ComparisonOptions = {},
): void {
  const more =
    leftOut > 0
      ? h(
          "p",
          { class: "muted" },
          `${counted(leftOut, "further member")} of this cluster not shown; `,
          "clusters.jsonl lists all.",
        )
      : null;
  const first = members[0];
  if (first === undefined) {
    add(panel, documentHead(words.witnessTitle, kept, []), more);
    return;
  }
  const view = h("div", { class: `comparison ${words.measure}` });
  const show = (member: Member) =>
    view.replaceChildren(...comparison(kept, member, words, onlyDifferences));
  add(panel, alone ? null : chooser(`member-${panel.id}`, members, words, show), view, more);
  show(first);
}

function chooser(
  id: string,
  members: Member[],
  words: Words,
  show: (member: Member) => void,
): HTMLElement {
  const select = h("select", { id });
  members.forEach((member, i) => select.append(h("option", { value: i }, entry(member, i, words))));
  const previous = h("button", { type: "button", "aria-label": "Previous member" }, "←");
  const next = h("button", { type: "button", "aria-label": "Next member" }, "→");
  const update = () => {
    previous.disabled = select.selectedIndex <= 0;
    next.disabled = select.selectedIndex >= members.length - 1;
    const member = members[select.selectedIndex];
    if (member !== undefined) show(member);
  };
  const step = (by: number) => {
    select.selectedIndex += by;
    update();
  };
  select.addEventListener("change", update);
  previous.addEventListener("click", () => step(-1));
  next.addEventListener("click", () => step(1));
  previous.disabled = true;
  next.disabled = members.length < 2;
  return h(
    "div",
    { class: "chooser" },
    h("label", { for: id }, `Compare with (${count(members.length)})`),
    select,
    h("span", { class: "steps" }, previous, next),
  );
}

// A list entry is plain text: the isolates keep a right-to-left id from turning the rest around,
// and the id's own directional marks, which could end them, are shown as replaced.
function entry(member: Member, i: number, { valueKind }: Words): string {
  const points = [...member.id.replace(kDirectionalMarks, "\ufffd")];
  const cut = points.length > kEntryLength ? "…" : "";
  const id = points.slice(0, kEntryLength).join("") + cut;
  const kind = member.kind === "near" ? `${valueKind} ${share(decidedBy(member), 4)}` : "copy";
  return `${i + 1}. \u2068${id}\u2069, ${kind}`;
}

function removedTitle({ kind }: Member, { removedAs }: Words): string {
  if (kind === "near") return removedAs;
  return `Removed as a copy (same ${kind === "exact" ? "words" : "bytes"})`;
}

function comparison(
  kept: DocumentRef,
  member: Member,
  words: Words,
  onlyDifferences: boolean,
): Node[] {
  const measured = measures(member);
  const left = h(
    "article",
    { class: "document kept" },
    documentHead(words.witnessTitle, kept, measured.ofWitness),
  );
  const right = h(
    "article",
    { class: "document removed" },
    documentHead(removedTitle(member, words), member, measured.ofRemoved),
  );
  const keptText = member.kept_segments ?? [];
  const memberText = member.segments ?? [];
  if (keptText.length === 0 && memberText.length === 0) {
    return [h("div", { class: "pair" }, left, right), h("p", { class: "empty" }, noText(member))];
  }
  const ofWitness = { ...witnessExcerpt(member), onlyDifferences };
  const ofRemoved = { ...removedExcerpt(member), onlyDifferences };
  const rows = rowsOf(ofWitness.segments, ofRemoved.segments, member.anchors ?? []);
  add(left, textPane(`Text of the ${words.witness}`, ofWitness, rows.map((row) => row.kept)));
  add(right, textPane(`Text of the ${words.removed}`, ofRemoved, rows.map((row) => row.removed)));
  const note = words.measure === "containment" ? shared(member, words) : differing(keptText, memberText, words);
  const pair = h(
    "div",
    { class: "pair texts", role: "region", "aria-label": "Two texts side by side", tabindex: 0 },
    left,
    right,
  );
  for (const side of [left, right]) spanRows(side, rows.length);
  return [legend(note), pair];
}

/** The header of a side is the first row of the pair, its text the others. */
function spanRows(side: HTMLElement, rows: number): void {
  side.style.gridRow = `span ${rows + 1}`;
  const text = side.querySelector<HTMLElement>(".text");
  if (text !== null) text.style.gridRow = `span ${rows}`;
}

// Of containment both directions, each beside the document that it is a share of.
function measures(member: Member): { ofWitness: Node[]; ofRemoved: Node[] } {
  const { containment_ab: ab, containment_ba: ba } = member;
  if (ab === undefined || ba === undefined) {
    return { ofWitness: [], ofRemoved: [fact("Resemblance", share(member.resemblance, 4))] };
  }
  const direction = (name: string, value: number) =>
    fact(name, value === decidedBy(member) ? h("b", {}, share(value, 4)) : share(value, 4));
  return {
    ofWitness: [direction("Contained in the removed document", ba)],
    ofRemoved: [direction("Contained in the reference document", ab)],
  };
}

function fact(name: string, ...value: Child[]): HTMLElement {
  return h("div", {}, h("dt", {}, name), " ", h("dd", {}, ...value));
}

function noText({ kind }: Member): string {
  if (kind === "near") {
    return "These texts are not included in the report. Input and row say where to find them.";
  }
  const alike = kind === "identical" ? "byte for byte" : "word for word";
  return `The texts are the same, ${alike}; they are not repeated here.`;
}

function documentHead(title: string, document: DocumentRef, more: Node[]): HTMLElement {
  return h(
    "header",
    {},
    h("h4", {}, title),
    h("p", { class: "document-id", tabindex: document.id.length > 300 ? 0 : false },
      foreign(document.id)),
    h(
      "dl",
      {},
      ...more,
      // A document of an index, or a text that was typed in, comes from no input.
      document.source === ""
        ? null
        : fact("Input", foreign(document.source, ""), ...rowOf(document)),
    ),
  );
}

function rowOf({ row }: DocumentRef): string[] {
  return row === undefined ? [] : [`, row ${count(row)}`];
}

function differing(kept: Segment[], member: Segment[], words: Words): string {
  const passages = (segments: Segment[]) => segments.filter(([, shared]) => shared === 0).length;
  const left = passages(kept);
  const right = passages(member);
  if (left + right === 0) return "The parts shown do not differ.";
  return (
    `${counted(left, "differing passage")} in the ${words.witness}, ` +
    `${count(right)} in the ${words.removed}.`
  );
}

// What differs says little where one text is a part of the other.
function shared({ segments = [], resemblance }: Member, words: Words): string {
  const passages = segments.filter(([, shared]) => shared === 1).length;
  return (
    `${counted(passages, "shared passage")} in the part shown of the ${words.removed}; ` +
    `resemblance ${share(resemblance, 4)}.`
  );
}

function legend(note: string): HTMLElement {
  return h(
    "p",
    { class: "legend" },
    h("span", { class: "shared" }, "in both"),
    " ",
    h("mark", { class: "differing" }, "only in this one"),
    " ",
    note,
  );
}

/** What is shown of a text. */
interface Excerpt {
  segments: Segment[];
  /** Characters in front of it. */
  before: number;
  /** The text goes on behind it. */
  cut: boolean;
  foldsDiffering: boolean;
  onlyDifferences: boolean;
}

function removedExcerpt(member: Member): Excerpt {
  return {
    segments: member.segments ?? [],
    before: member.before ?? 0,
    cut: member.truncated === true,
    foldsDiffering: member.containment_ab !== undefined || member.resemblance < kNotMuchAlike,
    onlyDifferences: false,
  };
}

function witnessExcerpt(member: Member): Excerpt {
  return {
    ...removedExcerpt(member),
    segments: member.kept_segments ?? [],
    before: member.kept_before ?? 0,
    cut: member.kept_truncated ?? member.truncated === true,
  };
}

function textPane(label: string, excerpt: Excerpt, parts: Span[]): HTMLElement {
  const { segments, before, cut } = excerpt;
  const rows = parts.map(({ begin, end }) => {
    const row = h("div", { class: "row" });
    for (let i = begin; i < end; i += 1) {
      const segment = segments[i];
      if (segment !== undefined) add(row, passage(segment, endsInSight(excerpt, i)));
    }
    return row;
  });
  const [first, last] = [rows[0], rows[rows.length - 1]];
  if (before > 0) first?.prepend(h("span", { class: "cut" }, `${counted(before, "character")} before this …`));
  if (segments.length === 0) first?.append(h("i", {}, "No text of this document is included."));
  if (cut) {
    const shown = before > 0 ? "a part of it" : "its beginning";
    last?.append(h("span", { class: "cut" }, `… the text goes on; ${shown} is shown.`));
  }
  return h(
    "div",
    { class: "text", dir: "auto", role: "region", "aria-label": label, tabindex: 0 },
    ...rows,
  );
}

/** Characters that are shown of a folded passage: its first and its last. */
interface Ends {
  head: number;
  tail: number;
  /** A passage is shown whole unless more characters than this would be hidden. */
  least: number;
}

const kBothEnds: Ends = { head: kFoldEnds, tail: kFoldEnds, least: kFoldLeast };
const kOneLine: Ends = { head: 0, tail: 0, least: kShownWhole };

// What stays in sight of the passage `i` when it is folded; null: it is not folded.
function endsInSight(excerpt: Excerpt, i: number): Ends | null {
  const { segments, foldsDiffering, onlyDifferences } = excerpt;
  if (onlyDifferences && segments[i]?.[1] === 1) return kOneLine;
  if (segments[i]?.[1] === 1 || (foldsDiffering && segments.length === 1)) return kBothEnds;
  if (!foldsDiffering) return null;
  // Outermost ones have something shared on one side only: what is next to it.
  const [before, behind] = [i > 0, i < segments.length - 1];
  return { head: before ? kFoldEnds : 0, tail: behind ? kFoldEnds : 0, least: kFoldLeast };
}

function passage([text, shared]: Segment, ends: Ends | null): HTMLElement {
  const mark = (part: string) =>
    shared === 1
      ? h("span", { class: "shared" }, part)
      : h("mark", { class: "differing" }, part);
  if (ends === null || text.length - ends.head - ends.tail <= ends.least) return mark(text);
  const head = wholeUntil(text, ends.head);
  const tail = wholeUntil(text, text.length - ends.tail);
  const kind = shared === 1 ? "shared characters" : "characters only here";
  const fold = h("button", { type: "button", class: "fold" }, `⋯ ${count(tail - head)} ${kind} ⋯`);
  const folded = h(
    "span",
    {},
    head > 0 && mark(text.slice(0, head)),
    fold,
    tail < text.length && mark(text.slice(tail)),
  );
  fold.addEventListener("click", () => folded.replaceWith(mark(text)));
  return folded;
}

// Never between the halves of a surrogate pair.
function wholeUntil(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
