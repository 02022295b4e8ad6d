// Two documents side by side, with all measures; a link, and a file, to pass on.

import { useState } from "preact/hooks";
import type { Words } from "../../../report/src/measure";
import { useApp, wordsFor } from "../context";
import { comparisonPage, save } from "../export";
import { useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { nameOf, neutralWords, Pair, type LoadedPair } from "../pair";
import { go, linkTo } from "../route";
import { measuresOf } from "../scores";
import { hasTexts, thresholdOf, type Served } from "../types";
import { TextsState } from "./texts_state";

/** Titles of both documents, if a finding of an audit led here. */
const kTitles: Record<string, [first: string, second: string]> = {
  "false_removal.reason": ["What it was removed for", "Removed by the list"],
  "false_removal.other": ["The nearest that stays", "Removed by the list"],
  "false_removal.copy": ["Near-duplicate, removed as well", "Removed by the list"],
  "missed.other": ["Stays", "Stays as well"],
  "false_pair.other": ["First of the pair", "Second of the pair"],
  "missed_pair.other": ["First of the pair", "Second of the pair"],
};

export function CompareView({ a, b, from }: { a: string; b: string; from: string }) {
  useTitle("Compare");
  const { served } = useApp();
  return (
    <section aria-labelledby="title">
      <h1 id="title">Compare</h1>
      {kTitles[from] !== undefined && (
        <p>
          <a href={linkTo({ view: "audit", kind: from.split(".")[0] ?? "" })}>← Back to the audit</a>
        </p>
      )}
      {served.mode === "result" && <TextsState texts={served.info.texts} />}
      <Choose key={`${a}\n${b}`} a={a} b={b} />
      {a !== "" && b !== "" ? (
        <Result key={`${a}\n${b}`} a={a} b={b} from={from} />
      ) : (
        <p class="empty">Name two documents, or open a comparison from a cluster.</p>
      )}
    </section>
  );
}

function Choose({ a, b }: { a: string; b: string }) {
  const { served } = useApp();
  const [first, setFirst] = useState(a);
  const [second, setSecond] = useState(b);
  const name = served.mode === "result" ? "document (input:row)" : "id";
  const onSubmit = (event: Event) => {
    event.preventDefault();
    go({ view: "compare", a: first, b: second });
  };
  return (
    <form class="choose" onSubmit={onSubmit}>
      <label>
        First {name}
        <input
          type="text"
          required
          spellcheck={false}
          value={first}
          onInput={(event) => setFirst(event.currentTarget.value)}
        />
      </label>
      <label>
        Second {name}
        <input
          type="text"
          required
          spellcheck={false}
          value={second}
          onInput={(event) => setSecond(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Compare</button>
    </form>
  );
}

function Result({ a, b, from }: { a: string; b: string; from: string }) {
  const { api, served } = useApp();
  const texts = hasTexts(served);
  const [pair, setPair] = useState<LoadedPair | null>(null);
  const words = titled(neutralWords(wordsFor(served)), kTitles[from]);
  const rule = {
    threshold: thresholdOf(served),
    measure: served.mode === "result" ? served.info.measure : ("resemblance" as const),
  };
  // The measures need no texts, and come even where documents cannot be read.
  const [compared, retry] = useLoaded(() => api.compare({ id: a }, { id: b }), [a, b]);
  return (
    <>
      <When loaded={compared} what="the scores" retry={retry}>
        {(scores) => (
          <dl class="measures">
            {measuresOf(scores, rule).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt> <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </When>
      <p class="exports">
        <a href={linkTo({ view: "like", id: a })}>What else is like the first?</a>{" "}
        {pair?.segments !== undefined && (
          <button type="button" class="quiet" onClick={() => saveComparison(served, pair)}>
            Save as a page (HTML)
          </button>
        )}
      </p>
      {texts ? (
        <Pair
          id="comparison"
          a={{ side: { id: a } }}
          b={{ side: { id: b } }}
          words={words}
          onLoad={setPair}
        />
      ) : (
        <p class="empty">
          The texts of <Foreign text={a} /> and <Foreign text={b} /> are not here to be shown.
        </p>
      )}
    </>
  );
}

function titled(words: Words, titles: [string, string] | undefined): Words {
  if (titles === undefined) return words;
  return { ...words, witnessTitle: titles[0], removedAs: titles[1] };
}

function saveComparison(served: Served, pair: LoadedPair): void {
  const { segments, compared } = pair;
  if (segments === undefined) return;
  const page = comparisonPage({
    sides: [
      { ...nameOf(served, pair.a), segments: segments.kept_segments },
      { ...nameOf(served, pair.b), segments: segments.segments },
    ],
    measures: measuresOf(compared),
  });
  save("comparison.html", "text/html", page);
}
