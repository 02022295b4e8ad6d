// What a run decided by, in the page's words: the resemblance of whole documents, or containment,
// where the other document is one of the reference (--against) and stays as it is.

import type { Histogram, Member, ReportData } from "./data";

export interface Words {
  /** What the threshold is about. */
  measure: "resemblance" | "containment";
  /** What is removed and no copy: one, several, both as the first sentence has them, as a heading,
   * and in lists: in front of how many decided what, and of one document's value. */
  near: string;
  nears: string;
  nearAtFirst: string;
  nearsAtFirst: string;
  removedAs: string;
  nearKind: string;
  valueKind: string;
  /** Why nothing was removed; `noCluster` why there is no cluster. */
  noneAlike: string;
  noCluster: string;
  noClusters: string;
  /** What every removal was checked against. */
  checked: string;
  /** The document that a removed one was compared with: as a heading, and in a sentence. */
  witnessTitle: string;
  witness: string;
  /** The other document of a comparison, in a sentence. */
  removed: string;
  histogramCaption: string;
  histogramAxis: string;
  leftOver: (pairs: string, one: boolean) => string;
  glossary: (threshold: number) => [name: string, text: string][];
  clusterMeaning: string;
  clusterIntro: string;
  statisticsTitle: string;
  inNoCluster: string;
  inClusters: string;
}

const kResemblance: [name: string, text: string] = [
  "Resemblance",
  "The number of features (by default runs of five words) that two documents share, divided by " +
    "the number that either has: 0 if they share nothing, 1 if they share everything.",
];

const kResemblanceWords: Words = {
  measure: "resemblance",
  near: "near-duplicate",
  nears: "near-duplicates",
  nearAtFirst: "near-duplicate",
  nearsAtFirst: "near-duplicates",
  removedAs: "Removed as a near-duplicate",
  nearKind: "near",
  valueKind: "near",
  noneAlike: "no two were found to be alike",
  noCluster: "no two documents are alike",
  noClusters: "no two documents are alike",
  checked: "each was checked against a kept document",
  witnessTitle: "Kept",
  witness: "kept document",
  removed: "removed document",
  histogramCaption:
    "Every near-duplicate removed, by its exact resemblance to the document kept for it. Bars " +
    "to the right are almost the same;",
  histogramAxis: "resemblance to the kept document",
  leftOver: (pairs, one) =>
    `${pairs} at or above the threshold ${one ? "is" : "are"} still among the kept documents`,
  glossary: (threshold) => [
    kResemblance,
    [
      "Near-duplicate",
      `A document whose resemblance to a kept one, computed exactly, is ${threshold} or more.`,
    ],
  ],
  clusterMeaning:
    "A kept document with those that were removed for it; with --cluster components, all " +
    "documents that are linked by such pairs.",
  clusterIntro: "Open a cluster to read the kept document and a removed one side by side.",
  statisticsTitle: "Unique documents and clusters",
  inNoCluster: "Unique documents (in no cluster)",
  inClusters: "Documents in clusters",
};

const kContainmentWords: Words = {
  measure: "containment",
  near: "overlapping document",
  nears: "overlapping documents",
  nearAtFirst: "document that overlaps the reference",
  nearsAtFirst: "documents that overlap the reference",
  removedAs: "Removed as an overlapping document",
  nearKind: "overlapping",
  valueKind: "containment",
  noneAlike: "none was found to overlap a document of the reference",
  noCluster: "no document overlaps one of the reference",
  noClusters: "no document overlaps one of the reference",
  checked: "each was checked against a document of the reference",
  witnessTitle: "In the reference",
  witness: "reference document",
  removed: "removed document",
  histogramCaption:
    "Every overlapping document removed, by its exact containment: the share of the smaller of " +
    "the two that the other contains. At the right edge one contains the other completely;",
  histogramAxis: "containment, the larger of the two directions",
  leftOver: (pairs, one) =>
    `${pairs} at or above the threshold ` +
    (one
      ? "was not found, and its document was kept"
      : "were not found, and their documents were kept"),
  glossary: (threshold) => [
    [
      "Reference",
      "The documents passed with --against. Input documents are compared with them and with " +
        "nothing else. Reference documents stay as they are and do not count as kept.",
    ],
    [
      "Containment",
      "The share of one document's features (by default runs of five words) that the other also " +
        "has: 1 if the other contains all of it. The larger of the two directions decides.",
    ],
    [
      "Overlapping document",
      "A document that contains a reference document or is part of one: the containment, " +
        `computed exactly, is ${threshold} or more.`,
    ],
    kResemblance,
  ],
  clusterMeaning: "A document of the reference with those that were removed for it.",
  clusterIntro:
    "Each cluster is a reference document with those that were removed for it. Open one to read " +
    "the reference document and a removed one side by side.",
  statisticsTitle: "Documents and clusters",
  inNoCluster: "Documents in no cluster, reference included",
  inClusters: "Documents in clusters, reference included",
};

export function wordsOf({ measure }: Pick<ReportData, "measure">): Words {
  return measure === "containment" ? kContainmentWords : kResemblanceWords;
}

/** What the decision to remove the document was made by. */
export function decidedBy({ resemblance, containment_ab: ab, containment_ba: ba }: Member): number {
  return ab === undefined || ba === undefined ? resemblance : Math.max(ab, ba);
}

/** Near removals by what decided. */
export function histogramOf(data: ReportData): Histogram {
  const histogram = data.containment_histogram ?? data.resemblance_histogram;
  if (histogram === undefined) throw new Error("expected a histogram in the data, found none");
  return histogram;
}
