// The removals that were decided most narrowly: each opens to a comparison.

import { drawComparison } from "./comparison";
import type { ReportData, Removal } from "./data";
import { add, foreign, h } from "./dom";
import { decidedBy, wordsOf, type Words } from "./measure";
import { count, counted, percent, share, wilson } from "./numbers";
import { opener } from "./opener";

export function drawNarrowest(root: HTMLElement, data: ReportData): void {
  const removals = data.narrowest ?? [];
  const words = wordsOf(data);
  if (removals.length === 0) {
    add(root, h("p", { class: "empty" }, `No ${words.near} was removed.`));
    return;
  }
  const all = data.records.removed_near;
  const which =
    all > removals.length
      ? `The ${counted(removals.length, "removal")} with the lowest ${words.measure}`
      : `All ${counted(removals.length, "removal")}, the lowest ${words.measure} first`;
  add(
    root,
    h(
      "p",
      { class: "intro" },
      `${which}; the threshold is ${data.threshold}. `,
      "If some of them should have stayed, raise the threshold.",
    ),
    ...numberChanges(data),
    h("ol", { class: "clusters narrow" }, ...removals.map((r, i) => item(r, i + 1, words))),
  );
}

/** Says how many removals may not be duplicates for people to whom numbers matter. */
export function numberChanges(data: ReportData): HTMLElement[] {
  const changes = data.number_changes;
  if (!changes) return [];
  const all = data.records.removed_near;
  const { read, only_numbers: found } = changes;
  const { low, high } = wilson(found, read);
  const [which, estimate] =
    read === all
      ? [`Of all ${counted(all, "near-duplicate")}`, ""]
      : [
          `Of ${counted(read, "near-duplicate")} drawn at random`,
          ` (so probably ${percent(low, 1)} to ${percent(high, 1)} of all ${count(all)})`,
        ];
  return [
    h(
      "p",
      { class: "intro" },
      `${which}, ${count(found)} ${found === 1 ? "differs" : "differ"} from what is kept only ` +
        `in numbers${estimate}. If a different number makes a different document, run again with `,
      h("code", {}, "--differ numbers"),
      ".",
    ),
  ];
}

function item(removal: Removal, rank: number, words: Words): HTMLElement {
  const { kept, member } = removal;
  const heading = [
    h("span", { class: "opener-rank" }, `${rank}.`),
    h("span", { class: "opener-size" }, h("b", {}, share(decidedBy(member), 4))),
    h("span", { class: "opener-id" }, foreign(member.id)),
    h("span", { class: "opener-note" }, `${words.witness} `, foreign(kept.id)),
  ];
  return opener(`narrow-${rank}`, heading, (panel) => {
    drawComparison(panel, kept, [member], words, { alone: true });
  });
}
