// The buttons of a review, each with its key, and what was put aside for a merge.

import { counted } from "../../../report/src/numbers";
import { Foreign } from "../host";
import { linkToCluster } from "../route";
import { shortId, type Review } from "../review";
import type { Doc } from "../types";

export interface Actions {
  keep: () => void;
  split: () => void;
  merge: () => void;
  putAside: () => void;
  undo: () => void;
  help: () => void;
}

interface Props {
  review: Review;
  actions: Actions;
  /** The member that is chosen to be read. */
  member: Doc | undefined;
}

export function DecideBar({ review, actions, member }: Props) {
  const { selected, asides } = review;
  return (
    <section class="decide" aria-label="Decide">
      <div class="buttons">
        <button type="button" onClick={actions.keep} disabled={member === undefined}>
          Keep this <kbd>K</kbd>
        </button>
        <button type="button" onClick={actions.split} disabled={member === undefined}>
          Split selected <kbd>S</kbd>
        </button>
        <button type="button" onClick={actions.putAside}>
          Put aside <kbd>a</kbd>
        </button>
        <button type="button" onClick={actions.merge} disabled={asides.length === 0}>
          Merge <kbd>M</kbd>
        </button>
        <button type="button" onClick={actions.undo}>
          Undo <kbd>u</kbd>
        </button>
        <button type="button" onClick={actions.help} class="quiet">
          Keys <kbd>?</kbd>
        </button>
      </div>
      <p class="status">
        {selected.size > 0 ? (
          `${counted(selected.size, "document")} selected. `
        ) : (
          <>
            Nothing selected: Keep and Split act on{" "}
            {member === undefined ? "the chosen member" : <Foreign text={member.id} class="id" />},
            Put aside and Merge on the kept document.
          </>
        )}
      </p>
      {asides.length > 0 && (
        <ul class="asides" tabIndex={0} aria-label="Put aside for a merge">
          {asides.map(({ doc, cluster }) => (
            <li key={doc.key}>
              <Foreign text={doc.id} class="id clipped" /> of{" "}
              <a href={linkToCluster(cluster)}>cluster {cluster}</a>{" "}
              <button
                type="button"
                class="quiet"
                aria-label={`Take ${shortId(doc.id)} back`}
                onClick={() => review.dropAside(doc.key)}
              >
                Take back
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
