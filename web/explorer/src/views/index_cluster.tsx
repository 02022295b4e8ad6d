// A cluster of an index: its documents, and two of them side by side.

import { useState } from "preact/hooks";
import { count, counted } from "../../../report/src/numbers";
import { useApp, wordsFor } from "../context";
import { useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { neutralWords, Pair } from "../pair";
import { linkTo } from "../route";
import type { IndexCluster } from "../types";

const kAtOnce = 200;

export function IndexClusterView({ name }: { name: string }) {
  useTitle(`Cluster ${name}`);
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => api.indexCluster(name), [name]);
  return (
    <section aria-labelledby="title">
      <h1 id="title">
        Cluster <Foreign text={name} class="" />
      </h1>
      <When loaded={loaded} what="the cluster" retry={retry}>
        {(cluster) => <Opened cluster={cluster} />}
      </When>
    </section>
  );
}

function Opened({ cluster: { members } }: { cluster: IndexCluster }) {
  const { served } = useApp();
  const [chosen, setChosen] = useState(members[1]);
  const [room, setRoom] = useState(kAtOnce);
  const [first] = members;
  if (first === undefined) return <p class="empty">The cluster has no documents any more.</p>;
  return (
    <>
      <p class="intro">
        {counted(members.length, "document")}. Choose one to compare it with the first.
      </p>
      <ol class="matches members" tabIndex={0} aria-label="Documents">
        {members.slice(0, room).map((id, i) => (
          <li key={id}>
            {i === 0 ? (
              <Foreign text={id} class="id clipped" />
            ) : (
              <button
                type="button"
                class="member"
                aria-pressed={id === chosen}
                onClick={() => setChosen(id)}
              >
                <Foreign text={id} class="id clipped" />
              </button>
            )}
          </li>
        ))}
      </ol>
      {room < members.length && (
        <button type="button" onClick={() => setRoom(room + kAtOnce)}>
          Show {count(Math.min(kAtOnce, members.length - room))} more
        </button>
      )}
      {chosen !== undefined && (
        <section aria-labelledby="compared-title" class="part">
          <h2 id="compared-title">Side by side</h2>
          <p>
            <a href={linkTo({ view: "compare", a: first, b: chosen })}>
              A link to this comparison alone, with all scores
            </a>
          </p>
          <Pair
            id="comparison"
            a={{ side: { id: first } }}
            b={{ side: { id: chosen } }}
            words={neutralWords(wordsFor(served))}
          />
        </section>
      )}
    </>
  );
}
