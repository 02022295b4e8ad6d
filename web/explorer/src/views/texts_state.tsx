// Says why texts are not there, or how far the server has read them.

import { count } from "../../../report/src/numbers";
import type { Texts } from "../types";

export function TextsState({ texts }: { texts: Texts }) {
  const { state, documents = 0, of = 0, why } = texts;
  if (state === "ready") return null;
  if (state === "failed") {
    return (
      <p class="notice warning" role="alert">
        The texts could not be read{why === undefined ? "." : `: ${why}`}
      </p>
    );
  }
  if (state === "reading") {
    return (
      <p class="notice plain">
        <label for="texts-progress">
          The server reads the texts: {count(documents)} of {count(of)} documents.
        </label>{" "}
        <progress id="texts-progress" max={Math.max(1, of)} value={documents} />
      </p>
    );
  }
  return (
    <p class="notice plain">
      Texts are not shown, because the server was started without the inputs. Start it with{" "}
      <code>lookalike serve --result DIR INPUTS…</code> to compare texts side by side.
    </p>
  );
}
