// The documents of a cluster as a graph: who is a near-duplicate of whom. A chain, whose ends are not
// alike, is seen at once.

import { useState } from "preact/hooks";
import { count, counted } from "../../../report/src/numbers";
import { shortId } from "../review";
import { go } from "../route";
import { shownScore } from "../scores";
import type { AllScores, Doc } from "../types";

const kSize = 460;
const kRadius = 180;
const kNode = 13;
// Pairs this much below the threshold are near misses.
const kNear = 0.1;

interface Edge {
  a: number;
  b: number;
  score: number;
}

function edgesOf({ scores }: AllScores, least: number): Edge[] {
  const edges: Edge[] = [];
  scores.forEach((row, a) =>
    row.forEach((score, b) => {
      if (a < b && score >= least) edges.push({ a, b, score });
    }),
  );
  return edges;
}

const place = (i: number, of: number): [x: number, y: number] => {
  const angle = (2 * Math.PI * i) / of - Math.PI / 2;
  return [kSize / 2 + kRadius * Math.cos(angle), kSize / 2 + kRadius * Math.sin(angle)];
};

interface Props {
  documents: Doc[];
  all: AllScores;
  threshold: number;
}

export function Graph({ documents, all, threshold }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const edges = edgesOf(all, threshold - kNear);
  const alike = edges.filter(({ score }) => score >= threshold);
  const pairs = (documents.length * (documents.length - 1)) / 2;
  const says = `${count(alike.length)} of ${counted(pairs, "pair")} reach ${threshold}; ${
    edges.length - alike.length
  } more come within ${kNear} of it.`;
  const of = documents.length;
  return (
    <figure class="graph">
      <svg viewBox={`0 0 ${kSize} ${kSize}`} role="img" aria-label={`Graph: ${says}`}>
        {edges.map(({ a, b, score }) => {
          const [[x1, y1], [x2, y2]] = [place(a, of), place(b, of)];
          const kind = score >= threshold ? "edge" : "edge near-miss";
          const dim = chosen !== null && a !== chosen && b !== chosen ? " dim" : "";
          return (
            <line
              key={`${a} ${b}`}
              class={kind + dim}
              {...{ x1, y1, x2, y2 }}
              onClick={() => go(compared(documents, a, b))}
            >
              <title>{`${a + 1} and ${b + 1}: ${shownScore(score)}`}</title>
            </line>
          );
        })}
        {documents.map((doc, i) => {
          const [x, y] = place(i, of);
          return (
            <g
              key={doc.key}
              class={i === 0 ? "node kept" : "node"}
              onMouseEnter={() => setChosen(i)}
              onMouseLeave={() => setChosen(null)}
            >
              <circle cx={x} cy={y} r={kNode} />
              <text x={x} y={y}>
                {i + 1}
              </text>
              <title>{shortId(doc.id)}</title>
            </g>
          );
        })}
      </svg>
      <figcaption>
        {says} The numbers are those of the table; a line leads to both documents.
      </figcaption>
    </figure>
  );
}

const compared = (documents: Doc[], a: number, b: number) =>
  ({ view: "compare", a: documents[a]?.key ?? "", b: documents[b]?.key ?? "" }) as const;
