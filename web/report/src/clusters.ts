// The largest clusters: a list to filter and page through; each opens to a comparison.

import { drawComparison } from "./comparison";
import type { Cluster, Member, ReportData } from "./data";
import { add, foreign, h, type Child } from "./dom";
import { decidedBy, wordsOf, type Words } from "./measure";
import { count, counted, share } from "./numbers";
import { opener } from "./opener";

const kPerPage = 10;

export function drawClusters(root: HTMLElement, data: ReportData): void {
  const { clusters, statistics } = data;
  const words = wordsOf(data);
  if (clusters.length === 0) {
    const why =
      statistics.clusters > 0
        ? "This report shows no clusters; all of them are in clusters.jsonl."
        : `There are no clusters: ${words.noClusters}.`;
    add(root, h("p", { class: "empty" }, why));
    return;
  }
  const all = statistics.clusters;
  add(
    root,
    h(
      "p",
      { class: "intro" },
      all > clusters.length
        ? `The largest ${count(clusters.length)} of ${counted(all, "cluster")}. `
        : `${all === 1 ? "The only cluster" : `All ${counted(all, "cluster")}`}. `,
      words.clusterIntro,
    ),
  );
  new ClusterList(root, clusters, words);
}

interface Item {
  cluster: Cluster;
  element: HTMLElement;
  /** What the filter looks through, once it was asked. */
  words?: string;
}

class ClusterList {
  private readonly items: Item[];
  private readonly list = h("ol", { class: "clusters" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly previous = h("button", { type: "button" }, "← Previous");
  private readonly next = h("button", { type: "button" }, "Next →");
  private shown: HTMLElement[] = [];
  private page = 0;

  constructor(root: HTMLElement, clusters: Cluster[], words: Words) {
    this.items = clusters.map((cluster) => ({
      cluster,
      element: clusterItem(cluster, words),
    }));
    const filter = h("input", {
      type: "search",
      id: "cluster-filter",
      placeholder: "id, input or words of the text",
      autocomplete: "off",
      spellcheck: "false",
    });
    filter.addEventListener("input", () => this.filter(filter.value));
    this.previous.addEventListener("click", () => this.turn(-1));
    this.next.addEventListener("click", () => this.turn(1));
    add(
      root,
      h(
        "div",
        { class: "filter" },
        h("label", { for: "cluster-filter" }, "Filter"),
        filter,
        this.status,
      ),
      this.list,
      h("nav", { class: "pages", "aria-label": "Pages of clusters" }, this.previous, this.next),
    );
    this.filter("");
  }

  private filter(text: string): void {
    const wanted = text.trim().toLowerCase();
    // The texts are joined at the first search only: they can be many megabytes.
    const matches = (item: Item) => (item.words ??= searchWords(item.cluster)).includes(wanted);
    const found = wanted === "" ? this.items : this.items.filter(matches);
    this.shown = found.map((item) => item.element);
    this.page = 0;
    this.show();
  }

  private turn(step: number): void {
    this.page += step;
    this.show();
    this.list.querySelector("button")?.focus();
  }

  private show(): void {
    const pages = Math.max(1, Math.ceil(this.shown.length / kPerPage));
    const first = this.page * kPerPage;
    this.list.replaceChildren(...this.shown.slice(first, first + kPerPage));
    this.previous.disabled = this.page === 0;
    this.next.disabled = this.page >= pages - 1;
    const found = counted(this.shown.length, "cluster");
    this.status.textContent =
      this.shown.length === 0
        ? "No cluster matches."
        : `${found}, page ${this.page + 1} of ${pages}`;
  }
}

// What the filter looks through: everything of the cluster that the page can show.
function searchWords(cluster: Cluster): string {
  const words = [`#${cluster.cluster}`, cluster.kept.id, cluster.kept.source];
  for (const member of cluster.members) {
    words.push(member.id, member.source);
    for (const segments of [member.kept_segments, member.segments]) {
      words.push((segments ?? []).map(([text]) => text).join(""));
    }
  }
  return words.join("\n").toLowerCase();
}

function clusterItem(cluster: Cluster, words: Words): HTMLElement {
  const panelId = `cluster-${cluster.cluster}`;
  const heading = [
    h("span", { class: "opener-rank" }, `#${cluster.cluster}`),
    h("span", { class: "opener-size" }, h("b", {}, count(cluster.size)), " documents"),
    h("span", { class: "opener-id" }, foreign(cluster.kept.id)),
    h("span", { class: "opener-note" }, ...memberNote(cluster, words)),
  ];
  return opener(panelId, heading, (panel) => {
    drawComparison(panel, cluster.kept, cluster.members, words, { leftOut: cluster.left_out });
  });
}

function memberNote({ members, left_out: leftOut }: Cluster, { nearKind }: Words): Child[] {
  const near = members.filter((member) => member.kind === "near");
  const copies = members.length - near.length;
  const parts: string[] = [];
  if (near.length > 0) parts.push(`${count(near.length)} ${nearKind}, ${rangeOf(near)}`);
  if (copies > 0) parts.push(counted(copies, "copy", "copies"));
  if (leftOut > 0) parts.push(`${count(leftOut)} not shown`);
  return [parts.join("; ")];
}

// What decided, lowest and highest.
function rangeOf(near: Member[]): string {
  const values = near.map(decidedBy);
  const low = share(values.reduce((a, b) => Math.min(a, b), 1), 2);
  const high = share(values.reduce((a, b) => Math.max(a, b), 0), 2);
  return low === high ? low : `${low}–${high}`;
}
