// How a match is called: by its id.

import { useApp } from "./context";
import { Foreign } from "./host";
import type { Match } from "./types";

/** In a result, ids can occur twice: a document has a key besides, and its id as metadata. */
export function MatchName({ match }: { match: Match }) {
  const { served } = useApp();
  if (served.mode !== "result" || typeof match.metadata !== "string") {
    return <Foreign text={match.id} class="id clipped" />;
  }
  return (
    <span class="named">
      <Foreign text={match.metadata} class="id clipped" />
      <Foreign text={match.id} class="muted clipped" />
    </span>
  );
}
