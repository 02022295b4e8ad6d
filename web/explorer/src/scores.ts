// Scores: which of the numbers decided, and all of them in words.

import { count, share } from "../../report/src/numbers";
import type { Compared } from "./types";

interface Scored {
  resemblance: number;
  containment_ab?: number;
  containment_ba?: number;
}

export type Measure = "resemblance" | "containment";

/** The number that is held against the threshold. */
export function scoreOf(scored: Scored, measure: Measure): number {
  const { resemblance, containment_ab: ab, containment_ba: ba } = scored;
  if (measure === "resemblance" || ab === undefined || ba === undefined) return resemblance;
  return Math.max(ab, ba);
}

/** What counts as a near-duplicate. */
export interface Rule {
  threshold: number;
  measure: Measure;
}

function verdictOf(scores: Compared, { threshold, measure }: Rule): [string, string] {
  const name = measure === "containment" ? "Containment asked for" : "Threshold";
  const reached = scoreOf(scores, measure) >= threshold;
  return [name, `${threshold}: ${reached ? "near-duplicates" : "not near-duplicates"}`];
}

/** Every measure of a comparison, and what follows from it, as names and values. */
export function measuresOf(compared: Compared, rule?: Rule): [name: string, value: string][] {
  const { resemblance, exact, common, size_a, size_b, containment_ab, containment_ba } = compared;
  return [
    ["Resemblance", share(resemblance, 4) + (exact === false ? " (estimated)" : "")],
    ...(rule === undefined ? [] : [verdictOf(compared, rule)]),
    ["First contained in second", share(containment_ab, 4)],
    ["Second contained in first", share(containment_ba, 4)],
    ["Features in both", count(common)],
    ["Features of the first", count(size_a)],
    ["Features of the second", count(size_b)],
  ];
}

/** A score in a list, with as many places as tell near ones apart. */
export function shownScore(score: number): string {
  return share(score, 4);
}
