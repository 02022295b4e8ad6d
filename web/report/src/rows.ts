// Which passages of two texts stand side by side. Texts that differ by some words flow on; where one
// has much that the other has not, a row ends, so that what both have goes on at one height.

import type { Segment } from "./data";

/** Segments from one position up to another, the last excluded. */
export interface Span {
  begin: number;
  end: number;
}

export interface Row {
  kept: Span;
  removed: Span;
}

// Characters that one text may have more than the other, about a line, before a row ends.
const kDrift = 90;

/** The rows of two texts; at least one, even where both are empty. */
export function rowsOf(
  kept: Segment[],
  removed: Segment[],
  anchors: [kept: number, removed: number][],
): Row[] {
  const rows: Row[] = [];
  const start = { kept: 0, removed: 0 };
  const endAt = (k: number, r: number) => {
    if (k === start.kept && r === start.removed) return;
    rows.push({ kept: { begin: start.kept, end: k }, removed: { begin: start.removed, end: r } });
    start.kept = k;
    start.removed = r;
  };
  let [k, r, drift] = [0, 0, 0];
  const meet = (nextKept: number, nextRemoved: number) => {
    const gap = lengthOf(kept, k, nextKept) - lengthOf(removed, r, nextRemoved);
    if (Math.abs(gap) > kDrift) endAt(k, r); // what only one has stands in a row by itself
    if (Math.abs(gap) > kDrift || Math.abs(drift + gap) > kDrift) {
      endAt(nextKept, nextRemoved);
      drift = 0;
    } else {
      drift += gap;
    }
    [k, r] = [nextKept, nextRemoved];
  };
  for (const [nextKept, nextRemoved] of anchors) {
    if (nextKept < k || nextRemoved < r) continue;
    meet(nextKept, nextRemoved);
    drift += lengthOf(kept, k, k + 1) - lengthOf(removed, r, r + 1);
    k += 1;
    r += 1;
  }
  if (anchors.length > 0) meet(kept.length, removed.length);
  endAt(kept.length, removed.length);
  return rows.length > 0 ? rows : [{ kept: { begin: 0, end: 0 }, removed: { begin: 0, end: 0 } }];
}

function lengthOf(segments: Segment[], begin: number, end: number): number {
  return segments.slice(begin, end).reduce((sum, [text]) => sum + text.length, 0);
}
