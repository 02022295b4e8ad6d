// One cluster of a result: its members, a comparison, decisions, scores and near misses.

import { useEffect, useState } from "preact/hooks";
import { kInputOrder } from "../../../report/src/data";
import { count, counted } from "../../../report/src/numbers";
import { useApp, wordsFor } from "../context";
import { announce, useLoaded, useNewest, useTitle } from "../hooks";
import { When } from "../host";
import { KeyHelpDialog } from "../key_help";
import { listenToKeys } from "../keys";
import { Pair } from "../pair";
import { useReview } from "../review";
import { go, linkTo, linkToCluster } from "../route";
import type { ClusterAnswer, Doc, MemberDoc, ResultInfo } from "../types";
import { Conflicts } from "./conflicts";
import { DecideBar } from "./decide_bar";
import { Matrix } from "./matrix";
import { Members, Threshold } from "./members";
import { NearMisses } from "./near_misses";
import { TextsState } from "./texts_state";

const kPart = 1000;
// A larger cluster is shown by its first members; the slider counts these.
const kMostMembers = 5000;

export function ClusterView({ name, info }: { name: string; info: ResultInfo }) {
  const number = /^[1-9]\d{0,15}$/.test(name) ? Number(name) : null;
  useTitle(`Cluster ${name}`);
  if (number === null) {
    return (
      <section>
        <h1>No such cluster</h1>
        <p>
          Clusters have numbers, from 1 to {count(info.clusters)}.{" "}
          <a href={linkTo({ view: "clusters", q: "" })}>See all clusters.</a>
        </p>
      </section>
    );
  }
  return <NumberedCluster key={number} number={number} info={info} />;
}

function NumberedCluster({ number, info }: { number: number; info: ResultInfo }) {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(async () => {
    const answer = await api.cluster(number, "", kPart);
    while (answer.next !== null && answer.members.length < kMostMembers) {
      const part = await api.cluster(number, answer.next, kPart);
      answer.members.push(...part.members);
      answer.next = part.next;
    }
    return answer;
  }, [number]);
  return (
    <section aria-labelledby="title">
      <div class="title-line">
        <h1 id="title">Cluster {count(number)}</h1>
        <Steps number={number} last={info.clusters} />
      </div>
      <When loaded={loaded} what="the cluster" retry={retry}>
        {(cluster) => <Opened cluster={cluster} info={info} />}
      </When>
    </section>
  );
}

function Steps({ number, last }: { number: number; last: number }) {
  return (
    <nav class="steps" aria-label="Neighbouring clusters">
      {number > 1 && <a href={linkToCluster(number - 1)}>← Previous</a>}
      {number < last && <a href={linkToCluster(number + 1)}>Next →</a>}
    </nav>
  );
}

/** Says so where no rule of the user, and no person, chose which document stays. */
function keptByOrder({ kept, members, next }: ClusterAnswer, info: ResultInfo): string {
  if (info.measure !== "resemblance") return "";
  if (info.keep.every((criterion) => criterion === "first")) {
    const isFirst = !info.replayed && kept.every(({ reference }) => reference !== true);
    return isFirst ? " The kept one comes first in the input; no other rule chose it." : "";
  }
  const byOrder = members.filter((member) => member.kept_by === kInputOrder).length;
  if (byOrder === 0) return "";
  const of = next === null ? "" : ` of the first ${count(members.length)}`;
  return ` ${counted(byOrder, "removal")}${of} ${byOrder === 1 ? "was" : "were"} decided by the ` +
    "order of the inputs only.";
}

function Opened({ cluster, info }: { cluster: ClusterAnswer; info: ResultInfo }) {
  const app = useApp();
  const { kept, members } = cluster;
  const [at, setAt] = useState(0);
  const [threshold, setThreshold] = useState(info.threshold);
  const [helpOpen, setHelpOpen] = useState(false);
  const review = useReview(app.api, cluster.cluster, app.refresh);
  const member = members[at];
  const all: Doc[] = [...kept, ...members];
  const chosen = all.filter(({ key }) => review.selected.has(key));
  const selectedOr = (fallback: Doc | undefined) =>
    chosen.length > 0 || fallback === undefined ? chosen : [fallback];

  const step = (by: number) => {
    const next = members[at + by];
    if (next === undefined) {
      announce(by > 0 ? "This is the last member." : "This is the first member.");
      return;
    }
    setAt(at + by);
    announce(`Member ${at + by + 1} of ${members.length}.`);
  };
  const visit = (number: number) => {
    if (number >= 1 && number <= info.clusters) go({ view: "cluster", name: String(number) });
    else announce(number < 1 ? "This is the first cluster." : "This is the last cluster.");
  };
  const keepChosen = () => {
    const [one = member, ...more] = chosen;
    if (one === undefined) return;
    if (more.length > 0) announce("Keep takes one document. Select only that one, or none.");
    else review.keep(one, kept[0]);
  };
  const actions = {
    keep: keepChosen,
    split: () => {
      const docs = selectedOr(member);
      if (docs.length > 0) review.split(docs);
    },
    merge: () => review.merge(selectedOr(kept[0])),
    putAside: () => review.putAside(selectedOr(kept[0])),
    undo: () => review.undoLast(),
    help: () => setHelpOpen(true),
  };
  const handlers = useNewest({
    j: () => step(1),
    k: () => step(-1),
    x: () => member !== undefined && review.toggle(member),
    K: actions.keep,
    S: actions.split,
    M: actions.merge,
    a: actions.putAside,
    u: actions.undo,
    n: () => visit(cluster.cluster + 1),
    p: () => visit(cluster.cluster - 1),
    "?": actions.help,
  });
  useEffect(() => listenToKeys(handlers), [handlers]);

  return (
    <>
      <p class="intro">
        {counted(cluster.size, "document")}: {count(kept.length)} kept,{" "}
        {counted(cluster.size - kept.length, "member")} removed.
        {keptByOrder(cluster, info)}
        {cluster.next !== null && ` The first ${count(members.length)} members are shown.`}
      </p>
      {(info.agree ?? []).length > 0 && <Conflicts cluster={cluster.cluster} />}
      <Threshold members={members} info={info} value={threshold} onChange={setThreshold} />
      <Members
        kept={kept}
        members={members}
        info={info}
        at={at}
        onChoose={setAt}
        threshold={threshold}
        review={review}
      />
      <DecideBar review={review} actions={actions} member={member} />
      <TextsState texts={info.texts} />
      {member !== undefined && <Compared kept={kept} member={member} info={info} />}
      {chosen.length > 1 && <SideBySide kept={kept} chosen={chosen} info={info} />}
      {info.texts.state === "ready" && (
        <>
          <Matrix documents={all} />
          <NearMisses kept={kept[0]} info={info} />
        </>
      )}
      <KeyHelpDialog open={helpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}

/** So many documents are read and drawn at once. */
const kMostAtOnce = 8;

/** What each of several documents has that the kept one has not, and the reverse. */
function SideBySide({ kept, chosen, info }: { kept: Doc[]; chosen: Doc[]; info: ResultInfo }) {
  const { served } = useApp();
  const [open, setOpen] = useState(false);
  const [first] = kept;
  if (first === undefined || info.texts.state !== "ready") return null;
  const others = chosen.filter(({ key }) => key !== first.key);
  return (
    <details class="part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Differences of the {count(others.length)} that are selected</summary>
      {others.length > kMostAtOnce && (
        <p class="muted">The first {count(kMostAtOnce)} are shown.</p>
      )}
      {(open ? others.slice(0, kMostAtOnce) : []).map((doc, i) => (
        <Pair
          key={doc.key}
          id={`selected-${i}`}
          a={{ side: { id: first.key }, shown: first }}
          b={{ side: { id: doc.key }, shown: doc }}
          words={wordsFor(served)}
          onlyDifferences
        />
      ))}
    </details>
  );
}

interface ComparedProps {
  kept: Doc[];
  member: MemberDoc;
  info: ResultInfo;
}

function Compared({ kept, member, info }: ComparedProps) {
  const { served } = useApp();
  const witness = member.duplicate_of ?? kept[0];
  if (witness === undefined || info.texts.state !== "ready") return null;
  return (
    <section aria-labelledby="compared-title" class="part">
      <h2 id="compared-title">Side by side</h2>
      <p>
        <a href={linkTo({ view: "compare", a: witness.key, b: member.key })}>
          A link to this comparison alone
        </a>
      </p>
      <Pair
        id="comparison"
        a={{ side: { id: witness.key }, shown: witness }}
        b={{ side: { id: member.key }, shown: member }}
        kind={member.kind}
        words={wordsFor(served)}
      />
    </section>
  );
}
