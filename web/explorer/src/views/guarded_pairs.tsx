// The pairs of documents that stay although they are alike, because a guard tells them apart.

import { useState } from "preact/hooks";
import { counted, share } from "../../../report/src/numbers";
import { useApp } from "../context";
import { useLoaded } from "../hooks";
import { Foreign, When } from "../host";
import { Tokens } from "../pair";
import { linkTo } from "../route";
import type { GuardedPair } from "../types";

const kPairsAtOnce = 10;
const kTokens = 20;

export function GuardedPairs({ pairs: number }: { pairs: number }) {
  const { api } = useApp();
  const [shown, setShown] = useState<GuardedPair[]>([]);
  const [after, setAfter] = useState("0");
  const [loaded, retry] = useLoaded(async () => {
    const page = await api.guarded(after, kPairsAtOnce);
    return { pairs: [...shown, ...page.pairs], next: page.next };
  }, [after]);
  return (
    <>
      <p>
        {counted(number, "pair")} of documents {number === 1 ? "is" : "are"} alike at the threshold
        or above, and both stay: a guard tells them apart.
      </p>
      <When loaded={loaded} what="the pairs" retry={retry}>
        {({ pairs, next }) => (
          <>
            <div class="scroller" role="region" aria-label="Pairs kept apart" tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Score</th>
                    <th scope="col">Two documents</th>
                    <th scope="col">Guard</th>
                    <th scope="col">Only the first has</th>
                    <th scope="col">Only the second has</th>
                  </tr>
                </thead>
                <tbody>
                  {pairs.flatMap((pair) =>
                    Object.entries(pair.differ).map(([guard, [a, b]], i) => (
                      <tr key={`${pair.a.key} ${pair.b.key} ${guard}`}>
                        <td>{i === 0 && share(pair.resemblance, 2)}</td>
                        <td>{i === 0 && <PairLink pair={pair} />}</td>
                        <td>
                          <Foreign text={guard} />
                        </td>
                        <td>
                          <Tokens shown={a.slice(0, kTokens)} all={a.length} />
                        </td>
                        <td>
                          <Tokens shown={b.slice(0, kTokens)} all={b.length} />
                        </td>
                      </tr>
                    )),
                  )}
                </tbody>
              </table>
            </div>
            {next !== null && (
              <button
                type="button"
                onClick={() => {
                  setShown(pairs);
                  setAfter(next);
                }}
              >
                Show more pairs
              </button>
            )}
          </>
        )}
      </When>
    </>
  );
}

function PairLink({ pair: { a, b } }: { pair: GuardedPair }) {
  const names = (
    <>
      <Foreign text={a.id} /> and <Foreign text={b.id} />
    </>
  );
  if (a.key === undefined || b.key === undefined) return names;
  return <a href={linkTo({ view: "compare", a: a.key, b: b.key })}>{names}</a>;
}
