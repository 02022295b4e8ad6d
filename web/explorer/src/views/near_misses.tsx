// Documents that are almost like the kept one, but below the threshold: so they stayed.

import { useState } from "preact/hooks";
import { counted } from "../../../report/src/numbers";
import { useApp } from "../context";
import { useLoaded } from "../hooks";
import { When } from "../host";
import { MatchName } from "../match_name";
import { linkTo } from "../route";
import { scoreOf, shownScore } from "../scores";
import type { Doc, Match, ResultInfo } from "../types";

const kBelow = 0.15;
const kLeast = 0.05;
const kMost = 50;

export function NearMisses({ kept, info }: { kept: Doc | undefined; info: ResultInfo }) {
  const [asked, setAsked] = useState(false);
  if (kept === undefined) return null;
  const from = Math.max(kLeast, info.threshold - kBelow);
  return (
    <section aria-labelledby="misses-title" class="part">
      <h2 id="misses-title">Near misses</h2>
      <p class="intro">
        Documents that score between {shownScore(from)} and the threshold, {info.threshold},
        against the kept one. They were not removed for it.
      </p>
      {asked ? (
        <Found kept={kept} info={info} from={from} />
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Look through every document
        </button>
      )}
    </section>
  );
}

function Found({ kept, info, from }: { kept: Doc; info: ResultInfo; from: number }) {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(
    () => api.query({ id: kept.key, threshold: from, exhaustive: true, limit: 1000 }),
    [kept.key, from],
  );
  const isMiss = (m: Match) => m.id !== kept.key && scoreOf(m, info.measure) < info.threshold;
  return (
    <When loaded={loaded} what="near misses" retry={retry}>
      {({ matches, truncated }) => {
        const misses = matches.filter(isMiss);
        return (
          <>
            <p role="status">
              {misses.length === 0 ? "There is none." : `${counted(misses.length, "near miss", "near misses")}.`}
              {truncated && " The server found more than it could list."}
            </p>
            <MatchList from={kept.key} matches={misses.slice(0, kMost)} info={info} />
          </>
        );
      }}
    </When>
  );
}

interface ListProps {
  from: string;
  matches: Match[];
  info: ResultInfo;
}

function MatchList({ from, matches, info }: ListProps) {
  if (matches.length === 0) return null;
  return (
    <ol class="matches">
      {matches.map((match) => (
        <li key={match.id}>
          <a href={linkTo({ view: "compare", a: from, b: match.id })}>
            <b>{shownScore(scoreOf(match, info.measure))}</b>{" "}
            <MatchName match={match} />
          </a>
        </li>
      ))}
    </ol>
  );
}
