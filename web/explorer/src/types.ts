// The answers of `lookalike serve`. Keys, ids, names and texts are foreign: the page shows them
// through text nodes only.

import type { RecordCounts } from "../../report/src/data";

/** A document of a batch result. `key` is opaque; other endpoints take it. */
export interface Doc {
  key: string;
  id: string;
  source: string;
  row?: number;
  reference?: boolean;
}

export interface Texts {
  state: "none" | "reading" | "ready" | "failed";
  documents?: number;
  of?: number;
  why?: string;
}

export interface ResultInfo {
  name: string;
  threshold: number;
  measure: "resemblance" | "containment";
  /** Which of several near-duplicates stays, the first criterion first: "longest", "first", ... */
  keep: string[];
  clusters: number;
  texts: Texts;
  decisions: number;
  /** True if a list of another program was audited. */
  audit: boolean;
  /** True if the run replayed what people had decided. */
  replayed: boolean;
  /** Fields in which the documents of a cluster should agree. */
  agree: string[];
  /** Pairs that stay although they are alike; absent if the run had no guards. */
  guarded_pairs?: number;
  /** Why records were rejected, the commonest reason first. */
  rejections: { reason: string; records: number }[];
  records: Pick<RecordCounts, "in" | "kept" | "removed_exact" | "removed_near" | "rejected">;
}

interface AuditedList {
  threshold: number;
  documents: number;
  /** Entries that name no document, and documents with the id of an earlier one. */
  unknown: number;
  repeated: number;
}

export type AuditSummary = AuditedList &
  (
    | {
        kind: "removed" | "kept" | "clusters";
        removed: number;
        false_removals: number;
        lost_with_copies: number;
        missed: number;
      }
    | { kind: "pairs"; pairs: number; false_pairs: number; missed_pairs: number }
  );

export interface Audited {
  list: string;
  summary: AuditSummary;
}

export type FindingKind = "false_removal" | "missed" | "false_pair" | "missed_pair";

export interface Likeness {
  id: string;
  place: string;
  resemblance: number;
}

/** A finding of an audit (docs/format/audit-v1.md). */
export interface Finding {
  kind: FindingKind;
  document: { id: string; place: string };
  other: Likeness | null;
  reason: Likeness | null;
  copy: Likeness | null;
  cluster: number | null;
}

export interface FindingPage {
  findings: Finding[];
  of: number;
  next: string | null;
}

export interface ClusterRow {
  cluster: number;
  size: number;
  /** Null if the result lists no kept document of the cluster. */
  kept: Doc | null;
  near: number;
  copies: number;
  /** Scores of near members; null if all members are copies. */
  lowest: number | null;
  highest: number | null;
  decisions: number;
}

export interface ClusterPage {
  clusters: ClusterRow[];
  next: string | null;
  looked_at: number;
  of: number;
}

export type Kind = "near" | "exact" | "identical";

export interface MemberDoc extends Doc {
  kind: Kind;
  resemblance: number;
  containment_ab?: number;
  containment_ba?: number;
  /** What decided that the other one stays; absent if `keep` is "first" alone. */
  kept_by?: string;
  duplicate_of?: Doc;
}

export interface ClusterAnswer {
  cluster: number;
  size: number;
  kept: Doc[];
  members: MemberDoc[];
  next: string | null;
}

/** A field in which documents of a cluster differ: the commonest values, and how many there are. */
export interface FieldConflict {
  field: string;
  different: number;
  values: { value: string | null; documents: number }[];
}

export interface Conflicts {
  looked_at: number;
  of: number;
  conflicts: FieldConflict[];
}

export type DecisionKind = "keep" | "split" | "merge";

export interface NewDecision {
  decision: DecisionKind;
  cluster: number;
  documents: string[];
}

export interface Decision {
  number: number;
  decision: DecisionKind;
  cluster: number;
  documents: Doc[];
}

export interface Decisions {
  file: string;
  decisions: Decision[];
}

export interface StoredDocument {
  id: string;
  features: number;
  metadata?: unknown;
  text?: string;
}

export type Side = { id: string } | { text: string };

/** Offsets are in code points. Passages are sorted by a_begin; they may overlap or cross in b. */
export interface Passage {
  a_begin: number;
  a_end: number;
  b_begin: number;
  b_end: number;
}

export interface Compared {
  resemblance: number;
  exact?: boolean;
  common: number;
  size_a: number;
  size_b: number;
  containment_ab: number;
  containment_ba: number;
  passages: Passage[];
  guards: GuardDifference[];
  met?: Met;
}

/** What a guard finds in one of two texts only: the first tokens, and how many there are. */
export interface GuardDifference {
  guard: string;
  only_a: string[];
  only_b: string[];
  count_a: number;
  count_b: number;
}

/** Two documents that stay although they are alike. `differ`: by guard, what each of them has. */
export interface GuardedPair {
  a: Doc;
  b: Doc;
  resemblance: number;
  differ: Record<string, [string[], string[]]>;
}

export interface GuardedPage {
  pairs: GuardedPair[];
  next: string | null;
}

/** Why a search met two documents; only results say so. */
export type Met =
  | { by: "keys"; shared: number; keys: number; probability: number }
  | { by: "features" | "comparison" | "nothing" };

export interface AllScores {
  documents: string[];
  scores: number[][];
}

export interface Query {
  text?: string;
  id?: string;
  threshold?: number;
  top?: number;
  limit?: number;
  exhaustive?: true;
  measure?: "containment";
}

export interface Match {
  id: string;
  resemblance: number;
  exact?: boolean;
  containment_ab?: number;
  containment_ba?: number;
  metadata?: unknown;
}

export interface Matches {
  matches: Match[];
  truncated: boolean;
  candidates: number;
}

export interface Stats {
  documents: number;
  bytes: number;
  keep: "none" | "features" | "text";
  keys: string;
  threshold: number;
  /** Guards, and fields whose values must be equal. */
  differ: string[];
  same: string[];
  /** Only where it was asked for. */
  recall?: MeasuredRecall;
}

/** The recall of queries on a sample of documents; null where the sample has no pair. */
export interface MeasuredRecall {
  asked: number;
  estimate: number | null;
  low: number | null;
  high: number | null;
  met: boolean;
  sampled_documents: number;
  sampled_matches: number;
}

export interface IndexCluster {
  cluster: string;
  members: string[];
}

export interface IndexClusterPage {
  clusters: IndexCluster[];
  next: string | null;
}

export interface Change {
  seq: number;
  change: string;
  cluster: string;
  documents: string[];
  from?: string[];
}

/** Seconds since 1970, and documents. */
export type GrowthSample = [seconds: number, documents: number];

export interface Changes {
  changes: Change[];
  more: boolean;
}

/** What the server serves, found out once at the start. */
export type Served =
  | { mode: "result"; info: ResultInfo }
  | { mode: "index"; stats: Stats };

export function thresholdOf(served: Served): number {
  return served.mode === "result" ? served.info.threshold : served.stats.threshold;
}

/** True if texts can be asked for; an index says it by what it keeps. */
export function hasTexts(served: Served): boolean {
  return served.mode === "result"
    ? served.info.texts.state === "ready"
    : served.stats.keep === "text";
}
