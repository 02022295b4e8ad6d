// A cluster opened: the kept document and one member of it, side by side.

import type { Cluster, DocumentRef, Member, Segment } from "./data";
import { add, foreign, h } from "./dom";
import { count, counted, share } from "./numbers";

// A shared passage longer than this is folded, so that differences are met without scrolling.
const kFoldAbove = 700;
const kFoldEnds = 240;
// A list entry cannot wrap.
const kEntryLength = 60;
const kDirectionalMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function drawComparison(panel: HTMLElement, cluster: Cluster): void {
  const { members, left_out: leftOut } = cluster;
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
    add(panel, documentHead("Kept", cluster.kept, []), more);
    return;
  }
  const view = h("div", { class: "comparison" });
  const show = (member: Member) => view.replaceChildren(...comparison(cluster.kept, member));
  add(panel, chooser(cluster, show), view, more);
  show(first);
}

function chooser(cluster: Cluster, show: (member: Member) => void): HTMLElement {
  const { members } = cluster;
  const id = `member-${cluster.cluster}`;
  const select = h("select", { id });
  members.forEach((member, i) => select.append(h("option", { value: i }, entry(member, i))));
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
function entry(member: Member, i: number): string {
  const points = [...member.id.replace(kDirectionalMarks, "\ufffd")];
  const cut = points.length > kEntryLength ? "…" : "";
  const id = points.slice(0, kEntryLength).join("") + cut;
  const kind = member.kind === "near" ? `near ${share(member.resemblance, 4)}` : "copy";
  return `${i + 1}. \u2068${id}\u2069, ${kind}`;
}

const kKinds: Record<Member["kind"], string> = {
  near: "Removed as a near-duplicate",
  exact: "Removed as a copy (same words)",
  identical: "Removed as a copy (same bytes)",
};

function comparison(kept: DocumentRef, member: Member): Node[] {
  const left = h("article", { class: "document kept" }, documentHead("Kept", kept, []));
  const right = h(
    "article",
    { class: "document removed" },
    documentHead(kKinds[member.kind] ?? "Removed", member, [
      h("div", {}, h("dt", {}, "Resemblance"), " ", h("dd", {}, share(member.resemblance, 4))),
    ]),
  );
  const keptText = member.kept_segments ?? [];
  const memberText = member.segments ?? [];
  if (keptText.length === 0 && memberText.length === 0) {
    return [h("div", { class: "pair" }, left, right), h("p", { class: "empty" }, noText(member))];
  }
  add(left, textPane("Text of the kept document", keptText, member));
  add(right, textPane("Text of the removed document", memberText, member));
  return [legend(keptText, memberText), h("div", { class: "pair" }, left, right)];
}

function noText({ kind }: Member): string {
  if (kind === "near") {
    return "These texts were not taken into the report. Input and row say where to find them.";
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
      h(
        "div",
        {},
        h("dt", {}, "Input"),
        " ",
        h("dd", {}, foreign(document.source, ""), `, row ${count(document.row)}`),
      ),
    ),
  );
}

function legend(kept: Segment[], member: Segment[]): HTMLElement {
  const differing = (segments: Segment[]) => segments.filter(([, shared]) => shared === 0).length;
  const left = differing(kept);
  const right = differing(member);
  const text =
    left + right === 0
      ? "No passage differs in what is shown."
      : `${counted(left, "differing passage")} in the kept document, ` +
        `${count(right)} in the removed.`;
  return h(
    "p",
    { class: "legend" },
    h("span", { class: "shared" }, "in both"),
    " ",
    h("mark", { class: "differing" }, "only in this one"),
    " ",
    text,
  );
}

function textPane(label: string, segments: Segment[], { truncated }: Member): HTMLElement {
  const passages = segments.map(([text, shared]) =>
    shared === 1 ? sharedPassage(text) : h("mark", { class: "differing" }, text),
  );
  const body = h(
    "div",
    { class: "text", dir: "auto", role: "region", "aria-label": label, tabindex: 0 },
    ...passages,
  );
  if (segments.length === 0) add(body, h("i", {}, "No text was taken from this document."));
  if (truncated === true) {
    add(body, h("span", { class: "cut" }, "… the text goes on; its beginning is shown."));
  }
  return body;
}

function sharedPassage(text: string): HTMLElement {
  const passage = h("span", { class: "shared" });
  if (text.length <= kFoldAbove) return add(passage, text);
  const head = wholeUntil(text, kFoldEnds);
  const tail = wholeUntil(text, text.length - kFoldEnds);
  const fold = h(
    "button",
    { type: "button", class: "fold" },
    `⋯ ${count(tail - head)} shared characters ⋯`,
  );
  fold.addEventListener("click", () => passage.replaceChildren(text));
  return add(passage, text.slice(0, head), fold, text.slice(tail));
}

// Never between the halves of a surrogate pair.
function wholeUntil(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
