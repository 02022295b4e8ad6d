// The table of a cluster's documents, and the slider that tries other thresholds.

import { useEffect, useRef, useState } from "preact/hooks";
import { kInputOrder } from "../../../report/src/data";
import { count, counted } from "../../../report/src/numbers";
import { Foreign } from "../host";
import { kDecisionNames, shortId, type Review } from "../review";
import { scoreOf, shownScore } from "../scores";
import type { Doc, Kind, MemberDoc, ResultInfo } from "../types";

const kAtOnce = 200;
const kStep = 0.005;
const kKinds: Record<Kind, string> = {
  near: "near",
  exact: "copy, same words",
  identical: "copy, same bytes",
};

/** True if the member would be removed at this threshold, too. A copy always is. */
function isRemovedAt(member: MemberDoc, threshold: number, info: ResultInfo): boolean {
  return member.kind !== "near" || scoreOf(member, info.measure) >= threshold;
}

interface ThresholdProps {
  members: MemberDoc[];
  info: ResultInfo;
  value: number;
  onChange: (threshold: number) => void;
}

export function Threshold({ members, info, value, onChange }: ThresholdProps) {
  const removed = members.filter((m) => isRemovedAt(m, value, info)).length;
  const kept = members.length - removed;
  return (
    <div class="threshold">
      <label for="threshold">Try a threshold</label>
      <input
        id="threshold"
        type="range"
        min={info.threshold}
        max={1}
        step={kStep}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output for="threshold">
        <b>{shownScore(value)}</b>: {count(removed)} of {counted(members.length, "member")} would
        be removed, {count(kept)} would be kept
      </output>
    </div>
  );
}

interface MembersProps {
  kept: Doc[];
  members: MemberDoc[];
  info: ResultInfo;
  at: number;
  onChoose: (at: number) => void;
  threshold: number;
  review: Review;
}

export function Members(props: MembersProps) {
  const { kept, members, at, onChoose } = props;
  const [room, setRoom] = useState(kAtOnce);
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = members.slice(0, Math.max(room, at + 1));

  // The chosen row stays in sight, whatever chose it; the focus only moves if it was in the table.
  const last = useRef(at);
  useEffect(() => {
    if (last.current === at) return;
    last.current = at;
    const row = body.current?.querySelector<HTMLElement>('[aria-current="true"]');
    row?.scrollIntoView({ block: "nearest" });
    if (body.current?.contains(document.activeElement)) {
      row?.querySelector<HTMLElement>("button.member")?.focus({ preventScroll: true });
    }
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || members[at + by] === undefined) return;
    event.preventDefault();
    onChoose(at + by);
  };
  return (
    <>
      <div class="scroller members" role="region" aria-label="Members" tabIndex={0}>
        <table onKeyDown={onKeyDown}>
          <caption>Documents of the cluster; choose one to compare it with the kept one</caption>
          <thead>
            <tr>
              <th scope="col">Select</th>
              <th scope="col">Document</th>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                Score
              </th>
              <th scope="col">Decided</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {kept.map((doc) => (
              <KeptRow key={doc.key} doc={doc} review={props.review} />
            ))}
            {shown.map((member, i) => (
              <MemberRow key={member.key} {...props} member={member} i={i} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < members.length && (
        <button type="button" onClick={() => setRoom(shown.length + kAtOnce)}>
          Show {count(Math.min(kAtOnce, members.length - shown.length))} more
        </button>
      )}
    </>
  );
}

function KeptRow({ doc, review }: { doc: Doc; review: Review }) {
  return (
    <tr class="kept-row">
      <td>
        <Select doc={doc} review={review} />
      </td>
      <th scope="row" class="words">
        <Foreign text={doc.id} class="id clipped" />
        <Source doc={doc} />
      </th>
      <td>
        <b>{doc.reference === true ? "reference" : "kept"}</b>
      </td>
      <td class="number">–</td>
      <td>
        <Decided doc={doc} review={review} />
      </td>
    </tr>
  );
}

function MemberRow(props: MembersProps & { member: MemberDoc; i: number }) {
  const { member, i, at, onChoose, threshold, info, review } = props;
  const stays = !isRemovedAt(member, threshold, info);
  return (
    <tr aria-current={i === at ? "true" : undefined} class={stays ? "would-stay" : undefined}>
      <td>
        <Select doc={member} review={review} />
      </td>
      <th scope="row" class="words">
        <button type="button" class="member" onClick={() => onChoose(i)}>
          <Foreign text={member.id} class="id clipped" />
        </button>
        <Source doc={member} />
      </th>
      <td>
        {kKinds[member.kind]}
        <KeptBy member={member} />
      </td>
      <td class="number">
        {shownScore(scoreOf(member, info.measure))}
        {stays && <span class="stays">would be kept</span>}
      </td>
      <td>
        <Decided doc={member} review={review} />
      </td>
    </tr>
  );
}

/** What decided that the other one stays. */
function KeptBy({ member: { kept_by: criterion } }: { member: MemberDoc }) {
  if (criterion === undefined) return null;
  if (criterion === kInputOrder) return <b class="kept-by">by input order only</b>;
  return (
    <span class="muted kept-by">
      by <Foreign text={criterion} class="clipped" />
    </span>
  );
}

function Select({ doc, review }: { doc: Doc; review: Review }) {
  return (
    <input
      type="checkbox"
      class="select"
      aria-label={`Select ${shortId(doc.id)}`}
      checked={review.selected.has(doc.key)}
      onChange={() => review.toggle(doc)}
    />
  );
}

export function Source({ doc: { source, row } }: { doc: Doc }) {
  if (source === "") return null;
  return (
    <span class="muted source">
      <Foreign text={source} class="clipped" />
      {row !== undefined && `, row ${count(row)}`}
    </span>
  );
}

function Decided({ doc, review }: { doc: Doc; review: Review }) {
  const about = review.decisions.filter((d) => d.documents.some(({ key }) => key === doc.key));
  return <>{about.map((d) => `${kDecisionNames[d.decision]} (${d.number})`).join(", ")}</>;
}
