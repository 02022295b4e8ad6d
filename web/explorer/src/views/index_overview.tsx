// The start of an index: its key figures, its measured recall, and what changed last.

import { useState } from "preact/hooks";
import { bytes, count, counted, share } from "../../../report/src/numbers";
import type { Api } from "../api";
import { useApp } from "../context";
import { drawGrowth } from "../growth_plot";
import { useLoaded, useTitle } from "../hooks";
import { Drawn, Figure, Foreign, When } from "../host";
import { linkTo, linkToCluster } from "../route";
import type { Change, MeasuredRecall, Stats } from "../types";

const kAudited = 100;
const kFirstGuess = 1024;
const kShownChanges = 20;

const kKept: Record<Stats["keep"], string> = {
  none: "no documents are kept",
  features: "features are kept, texts are not",
  text: "texts are kept",
};

export function IndexOverview({ stats }: { stats: Stats }) {
  useTitle("Overview");
  return (
    <>
      <section aria-labelledby="title">
        <h1 id="title">Index</h1>
        <dl class="figures">
          <Figure name="Documents" value={count(stats.documents)} note={kKept[stats.keep]} />
          <Figure name="Size" value={bytes(stats.bytes)} />
          <Figure name="Threshold" value={String(stats.threshold)} />
          <Figure name="Keys" value={stats.keys} />
        </dl>
        <Guards stats={stats} />
        {stats.documents === 0 && (
          <p class="empty">The index is empty. Add documents with lookalike index add or the API.</p>
        )}
        <p class="go-on">
          <a class="button" href={linkTo({ view: "like", id: "" })}>
            Find what is like a text
          </a>
        </p>
      </section>
      <GrowthPart />
      <RecallPart />
      <LatestChanges />
    </>
  );
}

/** What tells documents apart whose texts are alike. */
function Guards({ stats: { differ, same } }: { stats: Stats }) {
  const named = (option: string, values: string[]) =>
    values.map((value) => (
      <li key={`${option} ${value}`}>
        <code>
          {option} <Foreign text={value} />
        </code>
      </li>
    ));
  if (differ.length + same.length === 0) return null;
  return (
    <>
      <p>Documents that are alike are told apart where these differ:</p>
      <ul>
        {named("--differ", differ)}
        {named("--same", same)}
      </ul>
    </>
  );
}

function GrowthPart() {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => api.growth(), []);
  return (
    <When loaded={loaded} what="growth" retry={retry}>
      {({ growth }) => (
        <Drawn class="part" draw={(root) => drawGrowth(root, growth)} inputs={[growth]} />
      )}
    </When>
  );
}

function RecallPart() {
  const [asked, setAsked] = useState(false);
  return (
    <section aria-labelledby="recall-title" class="part">
      <h2 id="recall-title">Recall</h2>
      <p class="intro">
        Measuring compares {counted(kAudited, "sampled document")} with every document of the
        index. It takes a while on a large index.
      </p>
      {asked ? (
        <Measured />
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Measure recall
        </button>
      )}
    </section>
  );
}

function Measured() {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => api.stats(kAudited), []);
  return (
    <When loaded={loaded} what="the measurement" retry={retry}>
      {({ recall }) =>
        recall === undefined ? (
          <p class="empty">The server measured nothing.</p>
        ) : (
          <RecallFigures recall={recall} />
        )
      }
    </When>
  );
}

function RecallFigures({ recall }: { recall: MeasuredRecall }) {
  const { asked, estimate, low, high, met } = recall;
  const interval = low === null || high === null ? "unknown" : `${share(low)}–${share(high)}`;
  return (
    <dl class="figures">
      <Figure
        name="Recall"
        value={estimate === null ? "not measured" : share(estimate)}
        note={`requested ${share(asked)}; ${met ? "met" : "not met"}`}
      />
      <Figure name="95 % interval" value={interval} />
      <Figure name="Sampled documents" value={count(recall.sampled_documents)} />
      <Figure name="True matches of them" value={count(recall.sampled_matches)} />
    </dl>
  );
}

/**
 * Finds the latest changes. The log is read from a number on, the oldest first, and can be long: so
 * the number of the last change is looked for by halving.
 */
async function latestChanges(api: Api): Promise<Change[]> {
  const hasAfter = async (since: number) => (await api.changes(since, 1)).changes.length > 0;
  let [low, high] = [0, kFirstGuess];
  while (await hasAfter(high)) [low, high] = [high, high * 4];
  while (high - low > kShownChanges) {
    const middle = Math.floor((low + high) / 2);
    if (await hasAfter(middle)) low = middle;
    else high = middle;
  }
  const { changes } = await api.changes(Math.max(0, low - kShownChanges), 3 * kShownChanges);
  return changes.slice(-kShownChanges).reverse();
}

function LatestChanges() {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => latestChanges(api), []);
  return (
    <section aria-labelledby="changes-title" class="part">
      <h2 id="changes-title">Latest changes of clusters</h2>
      <When loaded={loaded} what="changes" retry={retry}>
        {(changes) =>
          changes.length === 0 ? (
            <p class="empty">
              No cluster has changed yet. Changes appear when documents are added.
            </p>
          ) : (
            <ChangeTable changes={changes} />
          )
        }
      </When>
    </section>
  );
}

function ChangeTable({ changes }: { changes: Change[] }) {
  return (
    <div class="scroller" role="region" aria-label="Latest changes" tabIndex={0}>
      <table>
        <caption>The latest changes, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Change</th>
            <th scope="col">Cluster</th>
            <th scope="col">Documents</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ seq, change, cluster, documents }) => (
            <tr key={seq}>
              <th scope="row">{count(seq)}</th>
              <td>{change}</td>
              <td>
                <a href={linkToCluster(cluster)}>
                  <Foreign text={cluster} />
                </a>
              </td>
              <td class="many">
                {documents.slice(0, 5).map((id, i) => (
                  <span key={id}>
                    {i > 0 && ", "}
                    <Foreign text={id} />
                  </span>
                ))}
                {documents.length > 5 && ` and ${counted(documents.length - 5, "other")}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
