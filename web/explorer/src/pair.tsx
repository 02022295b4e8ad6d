// Two documents side by side: asks for texts and passages, and draws them as the report does.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { drawComparison } from "../../report/src/comparison";
import type { DocumentRef, Member } from "../../report/src/data";
import type { Words } from "../../report/src/measure";
import { capital, count, counted, share } from "../../report/src/numbers";
import type { Api } from "./api";
import { useApp } from "./context";
import { useLoaded } from "./hooks";
import { Drawn, Foreign, When } from "./host";
import { segmentsOf, type Segments } from "./segments";
import {
  thresholdOf,
  type Compared,
  type Kind,
  type Met,
  type Served,
  type Side,
  type StoredDocument,
} from "./types";

/** A document of a comparison: what the server takes, and how the page names it. */
export interface PairSide {
  side: Side;
  /** Absent: by what the server says of the document. */
  shown?: DocumentRef;
}

/** The id that a document of a result has besides its key: its metadata, or a part of them. */
export function idIn(served: Served, metadata: unknown): string | undefined {
  if (served.mode !== "result") return undefined;
  // Without fields an id is all that there is, and it may look like anything.
  const hasFields = (served.info.agree ?? []).length > 0;
  const id = hasFields && isObject(metadata) ? metadata.id : metadata;
  return typeof id === "string" ? id : undefined;
}

/** How a page names a document. In a result its key is its place. */
export function nameOf(served: Served, { id, metadata }: StoredDocument): DocumentRef {
  const own = idIn(served, metadata);
  return own === undefined ? { id, source: "" } : { id: own, source: id };
}

/** What the metadata of a document say of it; in a result, the fields of --agree. */
function factsIn(served: Served, metadata: unknown): unknown {
  if (served.mode !== "result") return metadata;
  return (served.info.agree ?? []).length > 0 && isObject(metadata) ? metadata.fields : undefined;
}

export interface LoadedPair {
  a: StoredDocument;
  b: StoredDocument;
  compared: Compared;
  /** Absent if one of the texts is not there. */
  segments?: Segments;
}

/** The words for two documents of which none was removed. */
export function neutralWords(words: Words): Words {
  return {
    ...words,
    witnessTitle: "First document",
    witness: "first document",
    removedAs: "Second document",
    removed: "second document",
  };
}

export async function loadPair(api: Api, a: Side, b: Side): Promise<LoadedPair> {
  const [first, second, compared] = await Promise.all([
    documentOf(api, a),
    documentOf(api, b),
    api.compare(a, b),
  ]);
  const pair = { a: first, b: second, compared };
  const { text: textA } = first;
  const { text: textB } = second;
  if (textA === undefined || textB === undefined) return pair;
  return { ...pair, segments: segmentsOf(textA, textB, compared.passages) };
}

// The kept document is compared with one member after the other: the last few stay at hand.
const kRemembered = 8;
const remembered = new Map<string, StoredDocument>();

async function documentOf(api: Api, side: Side): Promise<StoredDocument> {
  if ("text" in side) return { id: "", features: 0, text: side.text };
  const known = remembered.get(side.id);
  if (known !== undefined) return known;
  const found = await api.document(side.id);
  if (found.text !== undefined) remembered.set(side.id, found);
  const oldest = remembered.keys().next().value;
  if (remembered.size > kRemembered && oldest !== undefined) remembered.delete(oldest);
  return found;
}

/** What drawComparison takes as the second document. */
function memberOf(shown: DocumentRef, kind: Kind, pair: LoadedPair, { measure }: Words): Member {
  const { compared: scores, segments } = pair;
  const directions =
    measure === "containment"
      ? // The member is the first there, and the second here.
        { containment_ab: scores.containment_ba, containment_ba: scores.containment_ab }
      : {};
  return { ...shown, ...directions, ...segments, kind, resemblance: scores.resemblance };
}

interface PairProps {
  id: string;
  a: PairSide;
  b: PairSide;
  words: Words;
  /** What the second document is to the first; near unless it is given. */
  kind?: Kind;
  onLoad?: (pair: LoadedPair) => void;
  /** True: what both have is folded at first. */
  onlyDifferences?: boolean;
}

const sideKey = ({ side }: PairSide) => ("text" in side ? `text ${side.text}` : `id ${side.id}`);

export function Pair(props: PairProps) {
  const { id, a, b, words, kind = "near", onLoad, onlyDifferences = false } = props;
  const { api, served } = useApp();
  const inputs = [sideKey(a), sideKey(b)];
  const load = async () => {
    const pair = await loadPair(api, a.side, b.side);
    onLoad?.(pair);
    return pair;
  };
  const [loaded, retry] = useLoaded(load, inputs);
  return (
    <When loaded={loaded} what="the two documents" retry={retry}>
      {(pair) => (
        <ShownPair
          id={id}
          pair={pair}
          a={a.shown ?? nameOf(served, pair.a)}
          b={b.shown ?? nameOf(served, pair.b)}
          kind={kind}
          words={words}
          folded={onlyDifferences}
        />
      )}
    </When>
  );
}

/** Why the two count as alike, or not, and why a search compared them. */
function Why({ compared, words }: { compared: Compared; words: Words }) {
  const { served } = useApp();
  const { common, size_a, size_b, resemblance, met } = compared;
  const threshold = thresholdOf(served);
  const verdict = resemblance >= threshold ? "at least" : "below";
  return (
    <p class="met">
      {words.measure === "resemblance" &&
        `They share ${count(common)} of ${count(size_a + size_b - common)} features, which is ` +
          `${share(resemblance, 4)}, ${verdict} the threshold of ${threshold}. `}
      {met !== undefined && whyTheyMet(met)}
    </p>
  );
}

function whyTheyMet(met: Met): string {
  switch (met.by) {
    case "keys": {
      const equal = met.shared === 0 ? "none" : count(met.shared);
      const keys = `${equal} of ${counted(met.keys, "band key")} ${met.shared > 1 ? "are" : "is"} equal`;
      const chance = `of pairs with this resemblance, ${percentOf(met.probability)} have one or more.`;
      return met.shared === 0
        ? `The search by keys does not meet these two: ${keys}; ${chance}`
        : `Why they met: ${keys}; ${chance}`;
    }
    case "features":
      return "Why they met: texts as short as one of these are searched by all their features.";
    case "comparison":
      return "Why they met: this search compared all documents that have features in common.";
    case "nothing":
      return "One of these has too few words to be searched.";
  }
}

const percentOf = (probability: number) =>
  probability > 0.9999 ? "more than 99.99 %" : `${(100 * probability).toFixed(2)} %`;

interface ShownProps {
  id: string;
  pair: LoadedPair;
  a: DocumentRef;
  b: DocumentRef;
  kind: Kind;
  words: Words;
  folded: boolean;
}

function ShownPair({ id, pair, a, b, kind, words, folded }: ShownProps) {
  const [onlyDifferences, setOnlyDifferences] = useState(folded);
  const { segments } = pair;
  if (segments === undefined) {
    return <p class="empty">The texts are not there to be shown; the scores are.</p>;
  }
  if (segments.kept_segments.length + segments.segments.length === 0) {
    return <p class="empty">Both texts are empty.</p>;
  }
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.currentTarget.checked)}
        />{" "}
        Differences only
      </label>
      <Drawn
        id={id}
        class="panel"
        draw={(root) =>
          drawComparison(root, a, [memberOf(b, kind, pair, words)], words, {
            alone: true,
            onlyDifferences,
          })
        }
        inputs={[pair, onlyDifferences]}
      />
      <Why compared={pair.compared} words={words} />
      <GuardsBetween compared={pair.compared} words={words} />
      <MetadataConflicts a={pair.a.metadata} b={pair.b.metadata} words={words} />
    </>
  );
}

interface TwoSidesProps {
  caption: string;
  /** What the first column has. */
  name: string;
  words: Words;
  rows: [key: string, name: ComponentChildren, a: ComponentChildren, b: ComponentChildren][];
}

/** What each of the two documents has of several things. */
function TwoSides({ caption, name, words, rows }: TwoSidesProps) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{words.witnessTitle}</th>
          <th scope="col">{capital(words.removed)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, of, a, b]) => (
          <tr key={key}>
            <th scope="row" class="words">
              {of}
            </th>
            <td>{a}</td>
            <td>{b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Which guards would tell the two apart, and by what. */
function GuardsBetween({ compared, words }: { compared: Compared; words: Words }) {
  const { guards } = compared;
  if (guards.length === 0) return null;
  return (
    <section class="guards" aria-label="Guards that would tell them apart">
      <p>
        A run with {guards.length === 1 ? "this guard" : "one of these guards"} would keep both:
      </p>
      <TwoSides
        caption="What only one of the two has"
        name="Guard"
        words={words}
        rows={guards.map(({ guard, only_a, only_b, count_a, count_b }) => [
          guard,
          <code>
            --differ <Foreign text={guard} />
          </code>,
          <Tokens shown={only_a} all={count_a} />,
          <Tokens shown={only_b} all={count_b} />,
        ])}
      />
    </section>
  );
}

/** Tokens that a guard compares, and how many more there are. */
export function Tokens({ shown, all = shown.length }: { shown: string[]; all?: number }) {
  if (all === 0) return <span class="muted">nothing</span>;
  return (
    <>
      {shown.map((token, i) => (
        <>
          {i > 0 && ", "}
          <Foreign text={token} />
        </>
      ))}
      {all > shown.length && <span class="muted"> and {count(all - shown.length)} more</span>}
    </>
  );
}

/** Members of two metadata objects that differ; documents that are alike should agree in them. */
export function conflictsOf(a: unknown, b: unknown): [name: string, a: string, b: string][] {
  if (!isObject(a) || !isObject(b)) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .map((name): [string, string, string] => [name, valueOf(a, name), valueOf(b, name)])
    .filter(([, x, y]) => x !== y);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueOf(object: Record<string, unknown>, name: string): string {
  return Object.hasOwn(object, name) ? JSON.stringify(object[name]) : "absent";
}

function MetadataConflicts({ a, b, words }: { a: unknown; b: unknown; words: Words }) {
  const { served } = useApp();
  const conflicts = conflictsOf(factsIn(served, a), factsIn(served, b));
  if (conflicts.length === 0) return null;
  return (
    <section class="notice warning conflicts" aria-label="Differing metadata">
      <strong>The metadata differ. </strong>
      <TwoSides
        caption="Metadata in which the two documents differ"
        name="Name"
        words={words}
        rows={conflicts.map(([name, x, y]) => [
          name,
          <Foreign text={name} />,
          <Foreign text={x} />,
          <Foreign text={y} />,
        ])}
      />
    </section>
  );
}
