// The start of a result: the report's own summary, charts and tables.

import { drawCharts } from "../../../report/src/charts";
import type { ReportData } from "../../../report/src/data";
import { numberChanges } from "../../../report/src/narrowest";
import { count, counted, percent } from "../../../report/src/numbers";
import { drawSummary, pageTitle } from "../../../report/src/summary";
import { drawInputs, drawOptions } from "../../../report/src/tables";
import { isStatus } from "../api";
import { useApp } from "../context";
import { useLoaded, useTitle } from "../hooks";
import { Drawn, Figure, Foreign, When } from "../host";
import { linkTo } from "../route";
import type { ResultInfo } from "../types";
import { GuardedPairs } from "./guarded_pairs";
import { TextsState } from "./texts_state";

export function ResultOverview({ info }: { info: ResultInfo }) {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(async () => {
    try {
      return await api.report();
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }, []);
  return (
    <>
      <When loaded={loaded} what="the report" retry={retry}>
        {(data) => (data === null ? <CountsOnly info={info} /> : <Report data={data} info={info} />)}
      </When>
    </>
  );
}

function GoOn({ info }: { info: ResultInfo }) {
  return (
    <>
      <TextsState texts={info.texts} />
      <p class="go-on">
        <a class="button" href={linkTo({ view: "clusters", q: "" })}>
          Look through {counted(info.clusters, "cluster")}
        </a>{" "}
        <a class="button" href={linkTo({ view: "decisions" })}>
          {counted(info.decisions, "decision")}
        </a>{" "}
        {info.audit && (
          <a class="button" href={linkTo({ view: "audit", kind: "" })}>
            Audit of another program's list
          </a>
        )}
      </p>
    </>
  );
}

function Report({ data, info }: { data: ReportData; info: ResultInfo }) {
  useTitle(pageTitle(data).replace(/^Lookalike: /, ""));
  return (
    <>
      <Drawn id="summary" draw={(root) => drawSummary(root, data)} inputs={[data]} />
      <GoOn info={info} />
      <section aria-labelledby="charts-title" class="part">
        <h2 id="charts-title">What the run found</h2>
        <Drawn draw={(root) => drawCharts(root, data)} inputs={[data]} />
      </section>
      <Guards info={info} data={data} />
      <section aria-labelledby="inputs-title" class="part">
        <h2 id="inputs-title">Inputs</h2>
        <Drawn id="inputs" draw={(root) => drawInputs(root, data)} inputs={[data]} />
      </section>
      <Rejections info={info} />
      <section aria-labelledby="options-title" class="part">
        <h2 id="options-title">Options of this run</h2>
        <Drawn id="options" draw={(root) => drawOptions(root, data)} inputs={[data]} />
      </section>
    </>
  );
}

function CountsOnly({ info }: { info: ResultInfo }) {
  useTitle("Overview");
  const { records } = info;
  const removed = records.removed_exact + records.removed_near;
  return (
    <section>
      <h1>Result {info.name}</h1>
      <dl class="figures">
        <Figure name="Documents" value={count(records.in)} />
        <Figure name="Kept" value={count(records.kept)} note={percent(records.kept, records.in)} />
        <Figure name="Removed" value={count(removed)} note={percent(removed, records.in)} />
        <Figure name="Threshold" value={String(info.threshold)} note={info.measure} />
      </dl>
      <p class="muted">This result has no report page, so there are no charts.</p>
      <GoOn info={info} />
      <Guards info={info} />
      <Rejections info={info} />
    </section>
  );
}

/** What guards kept apart, or what one might have kept apart. */
function Guards({ info, data }: { info: ResultInfo; data?: ReportData }) {
  const { guarded_pairs: pairs } = info;
  if (pairs === undefined && data?.number_changes === undefined) return null;
  return (
    <section aria-labelledby="guards-title" class="part">
      <h2 id="guards-title">Guards</h2>
      {pairs === undefined ? (
        data && <Drawn draw={(root) => root.append(...numberChanges(data))} inputs={[data]} />
      ) : pairs === 0 ? (
        <p class="empty">No two documents that stay are alike but for a guard.</p>
      ) : (
        <GuardedPairs pairs={pairs} />
      )}
    </section>
  );
}

function Rejections({ info: { rejections } }: { info: ResultInfo }) {
  if (rejections.length === 0) return null;
  return (
    <section aria-labelledby="rejected-title" class="part">
      <h2 id="rejected-title">Records that could not be read</h2>
      <div class="scroller" role="region" aria-label="Rejected records" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col">Records</th>
            </tr>
          </thead>
          <tbody>
            {rejections.map(({ reason, records }) => (
              <tr key={reason}>
                <td>
                  <Foreign text={reason} />
                </td>
                <td>{count(records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
