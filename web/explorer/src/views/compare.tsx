// Two documents side by side, with all measures; a link, and a file, to pass on.

import { useState } from "preact/hooks";
import { useApp, wordsFor } from "../context";
import { comparisonPage, save } from "../export";
import { useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { nameOf, neutralWords, Pair, type LoadedPair } from "../pair";
import { go, linkTo } from "../route";
import { measuresOf } from "../scores";
import { hasTexts, type Served } from "../types";
import { TextsState } from "./texts_state";

export function CompareView({ a, b }: { a: string; b: string }) {
  useTitle("Compare");
  const { served } = useApp();
  return (
    <section aria-labelledby="title">
      <h1 id="title">Compare</h1>
      {served.mode === "result" && <TextsState texts={served.info.texts} />}
      <Choose key={`${a}\n${b}`} a={a} b={b} />
      {a !== "" && b !== "" ? (
        <Result key={`${a}\n${b}`} a={a} b={b} />
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
  const name = served.mode === "result" ? "key" : "id";
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

function Result({ a, b }: { a: string; b: string }) {
  const { api, served } = useApp();
  const texts = hasTexts(served);
  const [pair, setPair] = useState<LoadedPair | null>(null);
  const words = neutralWords(wordsFor(served));
  // The measures need no texts, and come even where documents cannot be read.
  const [compared, retry] = useLoaded(() => api.compare({ id: a }, { id: b }), [a, b]);
  return (
    <>
      <When loaded={compared} what="the scores" retry={retry}>
        {(scores) => (
          <dl class="measures">
            {measuresOf(scores).map(([name, value]) => (
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
