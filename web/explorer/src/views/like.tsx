// What is like this? Finds the documents that are like a text, a file, or a stored document.

import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, counted } from "../../../report/src/numbers";
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

interface Asked {
  query: Query;
  side: PairSide;
}

export function LikeView({ id }: { id: string }) {
  useTitle("What is like this?");
  const { served } = useApp();
  const known = thresholdOf(served);
  const [text, setText] = useState("");
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
        <TextField text={text} onChange={setText} disabled={key !== ""} />
        <label for="like-key">Or the {served.mode === "result" ? "key" : "id"} of a document</label>
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
  return (
    <section aria-labelledby="matches-title" class="part">
      <h2 id="matches-title">Matches</h2>
      <When loaded={loaded} what="matches" retry={retry}>
        {({ matches, truncated, candidates }) => {
          const others = matches.filter((match) => match.id !== own);
          return (
            <>
              <p role="status">
                {others.length === 0
                  ? "Nothing is like it"
                  : counted(others.length, "match", "matches")}
                ; looked at {counted(candidates, "candidate")}.
                {others.length === 0 && " Try a lower threshold."}
                {truncated && " There are more matches than are listed."}
              </p>
              <MatchList asked={asked} matches={others} measure={measure} />
            </>
          );
        }}
      </When>
    </section>
  );
}

interface MatchListProps {
  asked: Asked;
  matches: Match[];
  measure: Measure;
}

function MatchList({ asked, matches, measure }: MatchListProps) {
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
            <b>{shownScore(scoreOf(match, measure))}</b>{" "}
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
        b={{ side: { id: match.id }, shown: { id: match.id, source: "" } }}
        words={neutralWords(wordsFor(served))}
      />
    </>
  );
}
