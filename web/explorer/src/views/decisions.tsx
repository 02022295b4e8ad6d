// Every decision that is stored, each of which can be taken back.

import { capital, counted } from "../../../report/src/numbers";
import { messageOf } from "../api";
import { useApp } from "../context";
import { decisionsToJsonl, save } from "../export";
import { announce, useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { forget, kDecisionNames } from "../review";
import { linkTo, linkToCluster } from "../route";
import type { Decision, Decisions } from "../types";
import { Source } from "./members";

export function DecisionsView() {
  useTitle("Decisions");
  const { api } = useApp();
  const [loaded, reload] = useLoaded(() => api.decisions(), []);
  return (
    <section aria-labelledby="title">
      <h1 id="title">Decisions</h1>
      <When loaded={loaded} what="decisions" retry={reload}>
        {(stored) => <Stored stored={stored} reload={reload} />}
      </When>
    </section>
  );
}

function Stored({ stored, reload }: { stored: Decisions; reload: () => void }) {
  const { api, refresh } = useApp();
  const { decisions, file } = stored;
  if (decisions.length === 0) {
    return (
      <p class="empty">
        Nothing is decided yet. Open a cluster of{" "}
        <a href={linkTo({ view: "clusters", q: "" })}>the list</a>, and keep, split or merge
        documents there.
      </p>
    );
  }
  const undo = async ({ number }: Decision) => {
    try {
      await api.undo(number);
      forget(number);
      announce(`Decision ${number} is undone.`);
      reload();
      refresh();
      document.querySelector<HTMLElement>("h1")?.focus();
    } catch (error) {
      announce(`Not undone: ${messageOf(error)}`);
    }
  };
  return (
    <>
      <div class="list-head">
        <p class="status">
          {counted(decisions.length, "decision")}, stored in <Foreign text={file} />
        </p>
        <button
          type="button"
          class="quiet"
          onClick={() => save("decisions.jsonl", "application/jsonl", decisionsToJsonl(decisions))}
        >
          Save as JSONL
        </button>
      </div>
      <ol class="decisions">
        {decisions.map((decision) => (
          <Item key={decision.number} decision={decision} undo={() => void undo(decision)} />
        ))}
      </ol>
    </>
  );
}

function Item({ decision, undo }: { decision: Decision; undo: () => void }) {
  const { number, cluster, documents } = decision;
  return (
    <li>
      <p class="decision-head">
        <b>
          {number}. {capital(kDecisionNames[decision.decision])}
        </b>{" "}
        <a href={linkToCluster(cluster)}>Cluster {cluster}</a>{" "}
        <button type="button" class="quiet" aria-label={`Undo decision ${number}`} onClick={undo}>
          Undo
        </button>
      </p>
      <ul>
        {documents.map((doc) => (
          <li key={doc.key}>
            <Foreign text={doc.id} class="id clipped" />
            <Source doc={doc} />
          </li>
        ))}
      </ul>
    </li>
  );
}
