// What is like this? Finds the documents that are like a text, a file, or a stored document.

import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, counted, percent } from "../../../report/src/numbers";
import { useApp, wordsFor } from "../context";
import { useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { MatchName } from "../match_name";
import { neutralWords, Pair, type PairSide } from "../pair";
import { go, linkTo } from "../route";
import { scoreOf, shownScore, type Measure } from "../scores";
import { thresholdOf, type Match, type Query, type Side } from "../types";
import { TextsState } from "./texts_state";

const kMostBytes = 4_000_000;
const kMatches = 200;
/** The closest documents have at least this part of it, and so many are named. */
const kLeastPart = 0.2;
const kClosest = 5;

/** What was pasted stays while the page is open. */
let pasted = "";

interface Asked {
  query: Query;
  side: PairSide;
}

export function LikeView({ id }: { id: string }) {
  useTitle("What is like this?");
  const { served } = useApp();
  const known = thresholdOf(served);
  const [text, setText] = useState(pasted);
  const [key, setKey] = useState(id);
  const [threshold, setThreshold] = useState(known);
  const [asked, setAsked] = useState<Asked | null>(null);
  const exhaustive = threshold < known;

  const ask = (side: Side, shownId: string) => {
    const query: Query = {
      ...side,
      threshold,
      limit: kMatches,
      ...(exhaustive ? { exhaustive: true as const } : {}),
    };
    setAsked({ query, side: { side, shown: { id: shownId, source: "" } } });
  };
  const askForId = (wanted: string) => ask({ id: wanted }, wanted);
  useEffect(() => {
    setKey(id);
    if (id !== "") askForId(id);
  }, [id]);

  const onSubmit = (event: Event) => {
    event.preventDefault();
    // A new id becomes the address, which asks.
    if (key !== "" && key !== id) go({ view: "like", id: key });
    else if (key !== "") askForId(key);
    else if (text !== "") ask({ text }, "the text that you gave");
  };
  return (
    <section aria-labelledby="title">
      <h1 id="title">What is like this?</h1>
      {served.mode === "result" && <TextsState texts={served.info.texts} />}
      <form class="like" onSubmit={onSubmit}>
        <TextField
          text={text}
          onChange={(given) => {
            pasted = given;
            setText(given);
          }}
          disabled={key !== ""}
        />
        <label for="like-key">
          Or a document: {served.mode === "result" ? "its input and row, in.jsonl:12" : "its id"}
        </label>
        <input
          id="like-key"
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <label for="like-threshold">Threshold</label>
        <input
          id="like-threshold"
          type="number"
          min={0.01}
          max={1}
          step="any"
          required
          value={threshold}
          aria-describedby="like-threshold-note"
          onInput={(event) => setThreshold(event.currentTarget.valueAsNumber)}
        />
        <p id="like-threshold-note" class="muted">
          {exhaustive
            ? `Below ${known} every document is looked at, which takes longer.`
            : `Below ${known} every document would be looked at.`}
        </p>
        <button type="submit" disabled={text === "" && key === ""}>
          Find
        </button>
      </form>
      {asked !== null && <Results asked={asked} />}
    </section>
  );
}

interface TextFieldProps {
  text: string;
  onChange: (text: string) => void;
  disabled: boolean;
}

function TextField({ text, onChange, disabled }: TextFieldProps) {
  const [note, setNote] = useState("");
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    if (given.size > kMostBytes) {
      const size = bytes(given.size);
      setNote(`${given.name} has ${size}. Choose a file of at most ${bytes(kMostBytes)}.`);
      return;
    }
    onChange(await given.text());
    setNote(`${given.name} was read, as UTF-8.`);
  };
  const onDrop = (event: DragEvent) => {
    const given = event.dataTransfer?.files[0];
    setOver(false);
    if (given === undefined) return;
    event.preventDefault();
    void take(given);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      class={over ? "drop over" : "drop"}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <label for="like-text">Text</label>
      <textarea
        id="like-text"
        rows={8}
        dir="auto"
        disabled={disabled}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <p class="file">
        <label for="like-file">Or a file, which you can also drop here</label>{" "}
        <input
          id="like-file"
          type="file"
          ref={file}
          disabled={disabled}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </p>
      <p class="muted note" role="status">
        {note === "" ? "" : <Foreign text={note} class="" />}
      </p>
    </div>
  );
}

function Results({ asked }: { asked: Asked }) {
  const { api, served } = useApp();
  const measure: Measure = served.mode === "result" ? served.info.measure : "resemblance";
  const [loaded, retry] = useLoaded(() => api.query(asked.query), [asked]);
  const own = asked.query.id;
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is tall, and the answer would be below it.
  useEffect(() => heading.current?.scrollIntoView({ block: "start" }), [asked]);
  return (
    <section aria-labelledby="matches-title" class="part">
      <h2 id="matches-title" ref={heading}>
        Matches
      </h2>
      <When loaded={loaded} what="matches" retry={retry}>
        {({ matches, truncated, candidates }) => {
          const others = matches.filter((match) => match.id !== own);
          return (
            <>
              <p role="status">
                {others.length === 0
                  ? `No document is like it as a whole: none reaches ${asked.query.threshold ?? ""}.`
                  : `${counted(others.length, "match", "matches")}; ${
                      asked.query.exhaustive === true
                        ? "every document was looked at."
                        : `${counted(candidates, "candidate")} compared.`
                    }`}
                {truncated && " There are more matches than are listed."}
              </p>
              <MatchList asked={asked} matches={others} measure={measure} />
              {others.length === 0 && <Closest asked={asked} />}
            </>
          );
        }}
      </When>
    </section>
  );
}

/** How much of the text that was asked for is in a match. */
const partIn = ({ containment_ab: part = 0 }: Match) => part;

/** Where nothing is like the whole text, it may still be a part of a longer one. */
function Closest({ asked }: { asked: Asked }) {
  const { api } = useApp();
  const { id, text } = asked.query;
  const query: Query = {
    threshold: kLeastPart,
    measure: "containment",
    exhaustive: true,
    limit: kMatches,
  };
  const side = text === undefined ? { id: id ?? "" } : { text };
  const [loaded, retry] = useLoaded(() => api.query({ ...side, ...query }), [asked]);
  return (
    <When loaded={loaded} what="the closest documents" retry={retry}>
      {({ matches }) => {
        const closest = matches
          .filter((match) => match.id !== id && partIn(match) >= kLeastPart)
          .sort((x, y) => partIn(y) - partIn(x) || y.resemblance - x.resemblance)
          .slice(0, kClosest);
        return closest.length === 0 ? (
          <p>No document has more than a fifth of it.</p>
        ) : (
          <>
            <h3>{percent(partIn(closest[0]!), 1)} of it is in another document</h3>
            <p class="muted">
              Here is how much of it each document has, even if that one is much longer.
            </p>
            <MatchList
              asked={asked}
              matches={closest}
              measure="resemblance"
              label={(match) => percent(partIn(match), 1)}
            />
          </>
        );
      }}
    </When>
  );
}

interface MatchListProps {
  asked: Asked;
  matches: Match[];
  measure: Measure;
  /** The number in front of a match; its score, unless this is given. */
  label?: (match: Match) => string;
}

function MatchList({ asked, matches, measure, label }: MatchListProps) {
  const [open, setOpen] = useState<string | null>(null);
  useEffect(() => setOpen(null), [asked]);
  if (matches.length === 0) return null;
  return (
    <ol class="matches">
      {matches.map((match, i) => (
        <li key={match.id}>
          <button
            type="button"
            class="member"
            aria-expanded={match.id === open}
            aria-controls={`match-${i}`}
            onClick={() => setOpen(match.id === open ? null : match.id)}
          >
            <b>{label?.(match) ?? shownScore(scoreOf(match, measure))}</b>{" "}
            <MatchName match={match} />
          </button>
          <div id={`match-${i}`}>
            {match.id === open && <OpenedMatch i={i} side={asked.side} match={match} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function OpenedMatch({ i, side, match }: { i: number; side: PairSide; match: Match }) {
  const { served } = useApp();
  return (
    <>
      {"id" in side.side && (
        <p>
          <a href={linkTo({ view: "compare", a: side.side.id, b: match.id })}>
            A link to this comparison alone
          </a>
        </p>
      )}
      <Pair
        id={`match-pair-${i}`}
        a={side}
        b={{ side: { id: match.id } }}
        words={neutralWords(wordsFor(served))}
      />
    </>
  );
}
