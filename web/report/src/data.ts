// The interface between the C++ writer of report.html and this page.
//
// The writer replaces the placeholder in the element #report-data of dist/report.html by one JSON
// object of the type ReportData, in UTF-8, with `<`, `>`, `&`, U+2028 and U+2029 written as \uXXXX
// escapes. Numbers are JSON numbers. Ids, names, texts and options are foreign text: the page
// shows them through text nodes only.

/** Counts of records; in = kept + removed_exact + removed_near + rejected. */
export interface RecordCounts {
  in: number;
  kept: number;
  /** Copies: the same bytes or the same words in the same order. */
  removed_exact: number;
  removed_near: number;
  /** Malformed records, listed in rejected.jsonl. */
  rejected: number;
  /** Kept records whose text is null. */
  null_text: number;
  /** Records whose invalid characters were replaced for comparing; their rows are unchanged. */
  repaired_text: number;
}

/** Bytes of the records read and of those kept. */
export interface ByteCounts {
  in: number;
  kept: number;
}

export interface InputCounts {
  name: string;
  records: number;
  kept: number;
  removed: number;
  rejected: number;
  /** Of --against: its documents are compared with, and never removed or written out. */
  reference?: true;
}

/** An input left aside under --skip-bad-inputs. */
export interface SkippedInput {
  name: string;
  reason: string;
}

/** The audit: a sample of documents joined exactly with the whole collection. */
export interface Recall {
  asked: number;
  /** Share of the sample's true pairs that were found; null when the sample has no true pair. */
  estimate: number | null;
  /** Ends of the 95 % interval; null or absent when there is no estimate. */
  low?: number | null;
  high?: number | null;
  /** 0 when no audit was made. */
  sampled_documents: number;
  sampled_pairs: number;
  /** Sampled pairs at or above the threshold whose two documents are both kept. */
  left_over: number;
  /** False when the whole interval lies below what was asked, or a collection was left out whole. */
  met: boolean;
  /** Documents that the recall is about; absent in results of earlier versions. */
  covers?: { documents: number; left_out: number; min_features: number };
}

/** Clusters have two documents or more. */
export interface ClusterStatistics {
  clusters: number;
  clusters_of_two: number;
  mean_size: number;
  largest: number;
  /** Documents in no cluster. */
  unique: number;
  /** Documents in some cluster, the kept ones included. */
  in_clusters: number;
}

/** counts[i] is the number of near removals with a value in [from + i width, + width). */
export interface Histogram {
  from: number;
  width: number;
  counts: number[];
}

/** Sampled true pairs that are so much alike, [from, to), and how many of them were found. */
export interface AuditPoint {
  from: number;
  to: number;
  pairs: number;
  found: number;
}

/** A passage and whether the other document has it too (1) or not (0). */
export type Segment = [text: string, shared: 0 | 1];

export interface DocumentRef {
  id: string;
  source: string;
  /** Counts from 1; absent where the source has no rows of a fixed order, such as a DataFrame. */
  row?: number;
}

export interface Member extends DocumentRef {
  /** What the document is to the kept one. */
  kind: "near" | "exact" | "identical";
  resemblance: number;
  /** The share of its features that the reference's document has, and the other way round; both or
   * neither: with containment only. The larger decided. */
  containment_ab?: number;
  containment_ba?: number;
  /** The passages of this text end before the text does. */
  truncated?: boolean;
  /** The same of the kept document's, or the reference's. */
  kept_truncated?: boolean;
  /** Characters of this text, and of the other one, in front of the passages. */
  before?: number;
  kept_before?: number;
  /** The kept document's text against this member's; absent when no text was taken. */
  kept_segments?: Segment[];
  /** This member's text against the kept document's; absent when no text was taken. */
  segments?: Segment[];
  /** Positions in kept_segments and segments of shared passages that stand side by side; both
   * ascend. */
  anchors?: [kept: number, removed: number][];
}

/** A removed document and the one that it was removed for. */
export interface Removal {
  kept: DocumentRef;
  member: Member;
}

export interface Cluster {
  /** As in clusters.jsonl: counts from 1, largest first. */
  cluster: number;
  /** Documents in it, the kept one included. */
  size: number;
  /** With containment a document of the reference. */
  kept: DocumentRef;
  /** Members that are not in `members`. */
  left_out: number;
  members: Member[];
}

/** The name in `kept_by` of what no criterion of --keep decided. */
export const kInputOrder = "input order";

export interface ReportData {
  version: string;
  /** Version of the fingerprint contract, "v1". */
  fingerprint: string;
  records: RecordCounts;
  bytes: ByteCounts;
  /** At most 1000. */
  inputs: InputCounts[];
  /** Inputs beyond those listed. */
  inputs_left_out?: number;
  /** At most 1000. */
  inputs_skipped?: SkippedInput[];
  /** Skipped inputs beyond those listed. */
  inputs_skipped_left_out?: number;
  /** What the threshold is about; absent: resemblance. */
  measure?: "containment";
  threshold: number;
  /** The resolved design, "overlapping:128:8:32"; empty or absent under the exact method. */
  design?: string;
  method: "lsh" | "exact" | "shingle-merge";
  /** The fields that were read; null where there is none. */
  fields?: { text: string | null; id: string | null };
  /** A command line that gives this result; INPUTS and OUTPUT stand for places. */
  command?: string;
  /** Flag and value, as given or resolved. */
  options: [flag: string, value: string][];
  /** How many removals each criterion of --keep decided, in their order, and the order of the
   * inputs (kInputOrder); absent with the default order. */
  kept_by?: Record<string, number>;
  recall: Recall;
  statistics: ClusterStatistics;
  /** Number of clusters by size, ascending by size. */
  cluster_sizes: [size: number, clusters: number][];
  /** One of the two: of what the threshold is about. */
  resemblance_histogram?: Histogram;
  containment_histogram?: Histogram;
  /** Resemblance J and the design's probability P of comparing such a pair; ascending by J. */
  acceptance?: [resemblance: number, probability: number][];
  audit_points?: AuditPoint[];
  /** The largest 100. */
  clusters: Cluster[];
  /** The near removals of the lowest measure, lowest first; at most 20. */
  narrowest?: Removal[];
  /** Of near removals drawn at random, those whose texts were read to their ends, and those of them
   * that differ only in numbers from the document that is kept; absent if none does. */
  number_changes?: { drawn: number; read: number; only_numbers: number };
}

const kElementId = "report-data";

/** Parses the page's data. Throws an Error that says what is wrong when there is none. */
export function readReportData(page: Document): ReportData {
  const text = page.getElementById(kElementId)?.textContent?.trim() ?? "";
  if (!text.startsWith("{")) {
    throw new Error("expected the run's data inside this page, found an unfilled template");
  }
  return JSON.parse(text) as ReportData;
}
