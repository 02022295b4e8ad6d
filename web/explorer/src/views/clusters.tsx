// The list of clusters: of a result with a search, of an index without.

import { count, counted, share } from "../../../report/src/numbers";
import type { Api } from "../api";
import { NumberedRows, SequentialRows, type RowSource } from "../cluster_source";
import { useApp } from "../context";
import { clustersToCsv, save, toJsonl } from "../export";
import { useTitle } from "../hooks";
import { Foreign } from "../host";
import { linkToCluster, replaceRoute } from "../route";
import { RowList, useSource } from "../row_list";
import { SearchBox, SearchHelp } from "../search_box";
import type { ClusterRow, IndexCluster } from "../types";
import type { ListedRow } from "../virtual_list";

function resultRows(api: Api, q: string, clusters: number, changed: () => void) {
  const fetchPart = async (after: string, limit: number, signal: AbortSignal) => {
    const { clusters: rows, next, of } = await api.clusters(q, after, limit, signal);
    return { rows, next, of };
  };
  return q === ""
    ? new NumberedRows<ClusterRow>(clusters, fetchPart, changed)
    : new SequentialRows<ClusterRow>(fetchPart, changed);
}

export function ResultClusters({ q, clusters }: { q: string; clusters: number }) {
  useTitle(q === "" ? "Clusters" : `Clusters: ${q}`);
  const { api } = useApp();
  const source = useSource<ClusterRow>(
    (changed) => resultRows(api, q, clusters, changed),
    [api, q, clusters],
  );
  const onSearch = (wanted: string) => replaceRoute({ view: "clusters", q: wanted });
  return (
    <section aria-labelledby="title">
      <h1 id="title">Clusters</h1>
      <SearchBox value={q} onSearch={onSearch} />
      <SearchHelp />
      <RowList
        noun="cluster"
        waiting={waitingRow}
        source={source}
        label="Clusters"
        place={`clusters ${q}`}
        nothing={
          q === ""
            ? "This result has no clusters: no two documents are alike."
            : "No cluster matches. Take a term out, or look at how to search."
        }
        row={resultRow}
      >
        <Exports source={source} all={q === "" ? clusters : null} />
      </RowList>
    </section>
  );
}

export function IndexClusters() {
  useTitle("Clusters");
  const { api } = useApp();
  const source = useSource<IndexCluster>(
    (changed) =>
      new SequentialRows<IndexCluster>(async (after, limit, signal) => {
        const { clusters: rows, next } = await api.indexClusters(after, limit, signal);
        return { rows, next };
      }, changed),
    [api],
  );
  return (
    <section aria-labelledby="title">
      <h1 id="title">Clusters</h1>
      <RowList
        noun="cluster"
        waiting={waitingRow}
        source={source}
        label="Clusters"
        place="index"
        nothing="The index has no clusters yet: no two of its documents are alike."
        row={indexRow}
      />
    </section>
  );
}

function waitingRow(i: number): ListedRow {
  const content = (
    <>
      <span class="opener-rank">#{i + 1}</span>
      <span class="muted">loading …</span>
    </>
  );
  return { href: linkToCluster(i + 1), content };
}

function resultRow(row: ClusterRow): ListedRow {
  return { href: linkToCluster(row.cluster), content: <ResultCells row={row} /> };
}

function ResultCells({ row }: { row: ClusterRow }) {
  const { cluster, size, kept, decisions } = row;
  return (
    <>
      <span class="opener-rank">#{cluster}</span>
      <span class="opener-size">
        <b>{count(size)}</b> documents
      </span>
      <span class="opener-id">
        <Foreign text={kept?.id ?? ""} />
      </span>
      <span class="row-source">
        <Foreign text={kept?.source ?? ""} />
      </span>
      <span class="row-members">{membersOf(row)}</span>
      <span class="row-decided">{decisions > 0 && `✓ ${decisions} decided`}</span>
    </>
  );
}

function membersOf({ near, copies, lowest, highest }: ClusterRow): string {
  const parts: string[] = [];
  if (near > 0) parts.push(`${count(near)} near${rangeOf(lowest, highest)}`);
  if (copies > 0) parts.push(counted(copies, "copy", "copies"));
  return parts.join("; ");
}

function rangeOf(lowest: number | null, highest: number | null): string {
  if (lowest === null || highest === null) return "";
  const [low, high] = [share(lowest, 2), share(highest, 2)];
  return low === high ? ` ${low}` : ` ${low}–${high}`;
}

function indexRow(row: IndexCluster): ListedRow {
  const content = <IndexCells row={row} />;
  return { href: linkToCluster(row.cluster), class: "of-index", content };
}

function IndexCells({ row }: { row: IndexCluster }) {
  return (
    <>
      <span class="opener-rank">
        <Foreign text={row.cluster} />
      </span>
      <span class="opener-size">
        <b>{count(row.members.length)}</b> documents
      </span>
      <span class="opener-id">
        <Foreign text={row.members[0] ?? ""} />
      </span>
    </>
  );
}

function Exports({ source, all }: { source: RowSource<ClusterRow>; all: number | null }) {
  const rows = source.known();
  if (rows.length === 0) return null;
  const whole = source.progress.done && (all === null || rows.length === all);
  const counts = counted(rows.length, "row");
  const which = whole ? counts : `the ${counts} loaded so far`;
  return (
    <p class="exports">
      Save {which}:{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => save("clusters.csv", "text/csv", clustersToCsv(source.known()))}
      >
        CSV
      </button>{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => save("clusters.jsonl", "application/jsonl", toJsonl(source.known()))}
      >
        JSONL
      </button>
    </p>
  );
}
