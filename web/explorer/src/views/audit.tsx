// The page of an audit: what another program's list says, beside what exact comparison found.

import { capital, count, counted, share } from "../../../report/src/numbers";
import type { Api } from "../api";
import { NumberedRows } from "../cluster_source";
import { useApp } from "../context";
import { save, toJsonl } from "../export";
import { useLoaded, useTitle } from "../hooks";
import { Foreign, When } from "../host";
import { linkTo, type Route } from "../route";
import { RowList, useSource } from "../row_list";
import type { AuditSummary, Audited, Finding, FindingKind, Likeness } from "../types";
import type { ListedRow } from "../virtual_list";

/** The kinds of findings that a list can have, with their numbers. */
function kindsOf(summary: AuditSummary): [kind: FindingKind, name: string, count: number][] {
  return summary.kind === "pairs"
    ? [
        ["false_pair", "false pairs", summary.false_pairs],
        ["missed_pair", "missed pairs", summary.missed_pairs],
      ]
    : [
        ["false_removal", "false removals", summary.false_removals],
        ["missed", "missed documents", summary.missed],
      ];
}

const kMeanings: Record<FindingKind, string> = {
  false_removal:
    "Removed, though no document that stays is as much like it as the threshold asks. Each was compared with all that stay.",
  missed: "Left, though another document that is left is a near-duplicate of it.",
  false_pair: "Listed as near-duplicates, though below the threshold.",
  missed_pair: "Near-duplicates that the list does not have.",
};

export function AuditView({ kind }: { kind: string }) {
  useTitle("Audit");
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => api.audit(), []);
  return (
    <section aria-labelledby="title">
      <h1 id="title">Audit of another list</h1>
      <When loaded={loaded} what="the audit" retry={retry}>
        {(audited) => <Audit audited={audited} kind={kind} />}
      </When>
    </section>
  );
}

function Audit({ audited, kind }: { audited: Audited; kind: string }) {
  const { api } = useApp();
  const { summary } = audited;
  const kinds = kindsOf(summary);
  const [chosen, name, number] = kinds.find(([each]) => each === kind) ?? kinds[0]!;
  return (
    <>
      <p>
        <Foreign text={audited.list} /> {whatItSays(summary)}
      </p>
      <Figures summary={summary} />
      <nav class="choices" aria-label="Findings">
        {kinds.map(([each, title, found]) => (
          <a
            key={each}
            href={linkTo({ view: "audit", kind: each })}
            aria-current={each === chosen ? "true" : undefined}
          >
            {capital(title)} ({count(found)})
          </a>
        ))}
      </nav>
      <p class="muted">{kMeanings[chosen]}</p>
      <Findings key={chosen} api={api} kind={chosen} name={name} number={number} />
    </>
  );
}

function whatItSays(summary: AuditSummary): string {
  const { documents, threshold } = summary;
  const rules = `Judged at threshold ${share(threshold, 2)}, by the rules of this result.`;
  return summary.kind === "pairs"
    ? `takes ${counted(summary.pairs, "pair")} of ${counted(documents, "document")} for near-duplicates. ${rules}`
    : `removed ${count(summary.removed)} of ${counted(documents, "document")}. ${rules}`;
}

function Figures({ summary }: { summary: AuditSummary }) {
  type Named = [name: string, value: number];
  const figures: Named[] =
    summary.kind === "pairs"
      ? [
          ["right", summary.pairs - summary.false_pairs],
          ["false", summary.false_pairs],
          ["missed", summary.missed_pairs],
        ]
      : [
          ["right", summary.removed - summary.false_removals],
          ["false", summary.false_removals],
          ...(summary.lost_with_copies === 0
            ? []
            : [["of these, with all their near-duplicates", summary.lost_with_copies] as Named]),
          ["missed", summary.missed],
        ];
  if (summary.unknown > 0) figures.push(["not in the inputs", summary.unknown]);
  if (summary.repeated > 0) figures.push(["with an id of several", summary.repeated]);
  return (
    <dl class="measures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>{" "}
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FindingsProps {
  api: Api;
  kind: FindingKind;
  name: string;
  number: number;
}

function Findings({ api, kind, name, number }: FindingsProps) {
  const source = useSource<Finding>(
    (changed) =>
      new NumberedRows<Finding>(
        number,
        async (after, limit, signal) => {
          const { findings: rows, next, of } = await api.findings(kind, after, limit, signal);
          return { rows, next, of };
        },
        changed,
      ),
    [api, kind, number],
  );
  const known = source.known();
  return (
    <RowList
      source={source}
      label={capital(name)}
      noun="finding"
      place={`audit ${kind}`}
      nothing={`No ${name}.`}
      row={findingRow}
      waiting={(i) => ({
        href: linkTo({ view: "audit", kind }),
        content: <span class="muted">{i + 1}: loading …</span>,
      })}
    >
      {known.length > 0 && (
        <p class="exports">
          Save {known.length === number ? "" : "the "}
          {counted(known.length, "row")}
          {known.length === number ? "" : " loaded so far"}:{" "}
          <button
            type="button"
            class="quiet"
            onClick={() => save(`${kind}.jsonl`, "application/jsonl", toJsonl(source.known()))}
          >
            JSONL
          </button>
        </p>
      )}
    </RowList>
  );
}

/** The document to read beside the one that was found: what explains best what happened. */
function explanationOf(finding: Finding): [what: "reason" | "other" | "copy", Likeness] | null {
  for (const what of ["reason", "other", "copy"] as const) {
    const like = finding[what];
    if (like !== null) return [what, like];
  }
  return null;
}

function findingRow(finding: Finding): ListedRow {
  const beside = explanationOf(finding);
  const { place } = finding.document;
  const to: Route =
    beside === null
      ? { view: "like", id: place }
      : // What was removed is on the right, as in a cluster.
        { view: "compare", a: beside[1].place, b: place, from: `${finding.kind}.${beside[0]}` };
  return { href: linkTo(to), class: "finding", content: <FindingCells finding={finding} /> };
}

function FindingCells({ finding }: { finding: Finding }) {
  return (
    <>
      <span class="finding-id">
        <Foreign text={finding.document.id} />
      </span>
      <span class="finding-said">
        <span class="muted">The list: </span>
        <Said finding={finding} />
      </span>
      <span class="finding-found">
        <span class="muted">Verified: </span>
        <Found finding={finding} />
      </span>
    </>
  );
}

function Said({ finding: { kind, reason, other } }: { finding: Finding }) {
  switch (kind) {
    case "false_removal":
      return reason === null ? <>removed</> : <Named score={reason} words="removed for" like={reason} />;
    case "missed":
      return <>stays</>;
    case "false_pair":
      return <Named words="a pair with" like={other} />;
    case "missed_pair":
      return <>no pair</>;
  }
}

function Found({ finding: { kind, other, copy } }: { finding: Finding }) {
  if (kind === "false_pair") return <b>{other === null ? "" : scoreOf(other)}</b>;
  if (kind !== "false_removal") return <Named score={other} words="with" like={other} />;
  if (copy !== null) return <Named score={copy} words="with another that was removed," like={copy} />;
  if (other !== null) return <Named score={other} words="at most, with" like={other} />;
  return <>nothing that stays comes near</>;
}

interface NamedProps {
  words: string;
  like: Likeness | null;
  score?: Likeness | null;
}

/** The score comes first, because long ids are cut. */
function Named({ words, like, score = null }: NamedProps) {
  if (like === null) return null;
  return (
    <>
      {score !== null && (
        <>
          <b>{scoreOf(score)}</b>{" "}
        </>
      )}
      {words} <Foreign text={like.id} />
    </>
  );
}

const scoreOf = ({ resemblance }: Likeness) => share(resemblance, 2);
