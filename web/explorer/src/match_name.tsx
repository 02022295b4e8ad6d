// How a match is called: by its id.

import { useApp } from "./context";
import { Foreign } from "./host";
import { idIn } from "./pair";
import type { Match } from "./types";

/** In a result, ids can occur twice: a document has a key besides, and its id in its metadata. */
export function MatchName({ match }: { match: Match }) {
  const { served } = useApp();
  const id = idIn(served, match.metadata);
  if (id === undefined) {
    return <Foreign text={match.id} class="id clipped" />;
  }
  return (
    <span class="named">
      <Foreign text={id} class="id clipped" />
      <Foreign text={match.id} class="muted clipped" />
    </span>
  );
}
