// From two texts and the passages that they share, the segments that a comparison draws.

import type { Segment } from "../../report/src/data";
import type { Passage } from "./types";

export interface Segments {
  kept_segments: Segment[];
  segments: Segment[];
  /** Positions of shared segments that are side by side; both ascend. */
  anchors: [kept: number, removed: number][];
}

/**
 * Cuts the texts `a` and `b`. Passages that cross or overlap others in `a` or `b` cannot all be
 * side by side: of those the longest chain that ascends in both texts is taken. The others are
 * marked as shared where they are, without an anchor.
 */
export function segmentsOf(a: string, b: string, passages: Passage[]): Segments {
  const [inA, inB] = [new Units(a), new Units(b)];
  const sound = passages.filter((p) => isSound(p, inA.points, inB.points));
  const chain = chainOf(sound);
  const left = new Cutter(a, spans(sound, "a", inA));
  const right = new Cutter(b, spans(sound, "b", inB));
  const anchors: [number, number][] = [];
  for (const p of chain) {
    const k = left.segmentAt(inA.at(p.a_begin), inA.at(p.a_end));
    const r = right.segmentAt(inB.at(p.b_begin), inB.at(p.b_end));
    const last = anchors[anchors.length - 1];
    if (k < 0 || r < 0 || (last !== undefined && (k <= last[0] || r <= last[1]))) continue;
    anchors.push([k, r]);
  }
  return { kept_segments: left.segments, segments: right.segments, anchors };
}

function isSound(p: Passage, pointsA: number, pointsB: number): boolean {
  return (
    p.a_begin >= 0 && p.a_begin < p.a_end && p.a_end <= pointsA &&
    p.b_begin >= 0 && p.b_begin < p.b_end && p.b_end <= pointsB
  );
}

/**
 * Positions of code points as positions of UTF-16 units. A text without astral characters needs
 * no table; another one remembers where the surrogate pairs are.
 */
class Units {
  readonly points: number;
  private readonly pairs: number[] = [];

  constructor(text: string) {
    for (let unit = 0; unit + 1 < text.length; unit += 1) {
      if ((text.charCodeAt(unit) & 0xfc00) !== 0xd800) continue;
      if ((text.charCodeAt(unit + 1) & 0xfc00) !== 0xdc00) continue;
      // The point of this pair: one unit less for each pair in front of it.
      this.pairs.push(unit - this.pairs.length);
      unit += 1;
    }
    this.points = text.length - this.pairs.length;
  }

  at(point: number): number {
    let [low, high] = [0, this.pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pairs[middle] ?? 0) < point) low = middle + 1;
      else high = middle;
    }
    return point + low;
  }
}

type Span = [begin: number, end: number];

/** The passages' spans in one text, ascending and without overlaps. */
function spans(passages: Passage[], side: "a" | "b", units: Units): Span[] {
  const all = passages.map(
    (p): Span =>
      side === "a"
        ? [units.at(p.a_begin), units.at(p.a_end)]
        : [units.at(p.b_begin), units.at(p.b_end)],
  );
  all.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const merged: Span[] = [];
  for (const [begin, end] of all) {
    const last = merged[merged.length - 1];
    // Spans that only touch stay apart: each may have its own place in the other text.
    if (last !== undefined && begin < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/** A text cut into shared spans and what is between them. */
class Cutter {
  readonly segments: Segment[] = [];
  private readonly begins: number[] = [];
  private readonly ends: number[] = [];

  constructor(text: string, shared: Span[]) {
    let at = 0;
    for (const [begin, end] of shared) {
      this.add(text, at, begin, 0);
      this.add(text, begin, end, 1);
      at = end;
    }
    this.add(text, at, text.length, 0);
  }

  /** The number of the shared segment that holds the span; negative if there is none. */
  segmentAt(begin: number, end: number): number {
    let [low, high] = [0, this.begins.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.begins[middle] ?? 0) <= begin) low = middle + 1;
      else high = middle;
    }
    const found = low - 1;
    return this.segments[found]?.[1] === 1 && (this.ends[found] ?? 0) >= end ? found : -1;
  }

  private add(text: string, begin: number, end: number, shared: 0 | 1): void {
    if (begin >= end) return;
    this.segments.push([text.slice(begin, end), shared]);
    this.begins.push(begin);
    this.ends.push(end);
  }
}

/**
 * The chain of passages, ascending and without overlaps in both texts, that covers the most of
 * `a`. Among the chains that end at or before a position of `b` a Fenwick tree knows the heaviest,
 * so that 100,000 passages take milliseconds.
 */
function chainOf(passages: Passage[]): Passage[] {
  const byBegin = passages.map((_, i) => i);
  byBegin.sort((x, y) => (passages[x]?.a_begin ?? 0) - (passages[y]?.a_begin ?? 0));
  const byEnd = [...byBegin];
  byEnd.sort((x, y) => (passages[x]?.a_end ?? 0) - (passages[y]?.a_end ?? 0));
  const ends = Float64Array.from(passages, (p) => p.b_end).sort();
  const tree = new Heaviest(ends.length);
  const weight = new Float64Array(passages.length);
  const before = new Int32Array(passages.length).fill(-1);
  let best = -1;
  let ended = 0;
  for (const i of byBegin) {
    const p = passages[i];
    if (p === undefined) continue;
    for (; ended < byEnd.length; ended += 1) {
      const j = byEnd[ended] ?? 0;
      const done = passages[j];
      if (done === undefined || done.a_end > p.a_begin) break;
      tree.put(Math.max(1, upTo(ends, done.b_end)), j, weight[j] ?? 0);
    }
    const from = tree.upTo(upTo(ends, p.b_begin));
    before[i] = from;
    weight[i] = p.a_end - p.a_begin + (from < 0 ? 0 : (weight[from] ?? 0));
    if (best < 0 || (weight[i] ?? 0) > (weight[best] ?? 0)) best = i;
  }
  const chain: Passage[] = [];
  for (let i = best; i >= 0; i = before[i] ?? -1) {
    const p = passages[i];
    if (p !== undefined) chain.push(p);
  }
  return chain.reverse();
}

/** Counts the values of an ascending array that are not above `limit`. */
function upTo(ascending: Float64Array, limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A Fenwick tree: the heaviest item at or before a position. */
class Heaviest {
  private readonly items: Int32Array;
  private readonly weights: Float64Array;

  constructor(private readonly size: number) {
    this.items = new Int32Array(size + 1).fill(-1);
    this.weights = new Float64Array(size + 1);
  }

  put(position: number, item: number, weight: number): void {
    for (let i = position; i <= this.size; i += i & -i) {
      if ((this.weights[i] ?? 0) >= weight) continue;
      this.weights[i] = weight;
      this.items[i] = item;
    }
  }

  upTo(position: number): number {
    let [best, heaviest] = [-1, 0];
    for (let i = position; i > 0; i -= i & -i) {
      if ((this.weights[i] ?? 0) <= heaviest) continue;
      heaviest = this.weights[i] ?? 0;
      best = this.items[i] ?? -1;
    }
    return best;
  }
}
