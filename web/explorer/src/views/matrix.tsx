// The exact scores of all pairs of a cluster's documents.

import { useState } from "preact/hooks";
import { counted } from "../../../report/src/numbers";
import { useApp } from "../context";
import { useLoaded } from "../hooks";
import { Foreign, When } from "../host";
import { linkTo } from "../route";
import { shownScore } from "../scores";
import { thresholdOf, type AllScores, type Doc } from "../types";
import { Graph } from "./graph";

const kMost = 24;
// Per cent of the colour behind a score of 1; more would make the number hard to read.
const kMostTint = 35;

export function Matrix({ documents }: { documents: Doc[] }) {
  const [opened, setOpened] = useState(false);
  const some = documents.slice(0, kMost);
  if (some.length < 2) return null;
  const which =
    documents.length > kMost ? `the first ${kMost}` : `all ${counted(some.length, "document")}`;
  return (
    <details class="part" onToggle={(event) => setOpened(opened || event.currentTarget.open)}>
      <summary>Scores of every pair, of {which}</summary>
      {opened && <Scored documents={some} />}
    </details>
  );
}

function Scored({ documents }: { documents: Doc[] }) {
  const { api, served } = useApp();
  const keys = documents.map(({ key }) => key);
  const [loaded, retry] = useLoaded(() => api.compareAll(keys), [keys.join("\n")]);
  return (
    <When loaded={loaded} what="the scores" retry={retry}>
      {(all) => (
        <>
          <Table documents={documents} all={all} />
          {documents.length > 2 && (
            <Graph documents={documents} all={all} threshold={thresholdOf(served)} />
          )}
        </>
      )}
    </When>
  );
}

function Table({ documents, all }: { documents: Doc[]; all: AllScores }) {
  return (
    <div class="scroller" role="region" aria-label="Scores of every pair" tabIndex={0}>
      <table class="matrix">
        <caption>Exact scores of every pair of documents</caption>
        <thead>
          <tr>
            <th scope="col">Document</th>
            {documents.map(({ key }, i) => (
              <th key={key} scope="col" class="number">
                {i + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {documents.map((doc, i) => (
            <tr key={doc.key}>
              <th scope="row" class="words">
                {i + 1}. <Foreign text={doc.id} class="id clipped" />
              </th>
              {documents.map((other, j) => (
                <Cell key={other.key} a={doc.key} b={other.key} score={all.scores[i]?.[j]} same={i === j} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  a: string;
  b: string;
  score: number | undefined;
  same: boolean;
}

// The number is the message; the tint only leads the eye.
function Cell({ a, b, score, same }: CellProps) {
  if (same || score === undefined) return <td class="number muted">–</td>;
  const percent = Math.round(kMostTint * Math.max(0, Math.min(1, score)) ** 2);
  const background = `color-mix(in srgb, var(--kept) ${percent}%, transparent)`;
  return (
    <td class="number" style={{ background }}>
      <a href={linkTo({ view: "compare", a, b })}>{shownScore(score)}</a>
    </td>
  );
}
