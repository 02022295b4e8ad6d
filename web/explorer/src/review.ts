// Decisions about one cluster: what is selected, what was put aside, what can be undone.

import { useEffect, useState } from "preact/hooks";
import { counted } from "../../report/src/numbers";
import { messageOf, type Api } from "./api";
import { announce } from "./hooks";
import type { Decision, DecisionKind, Doc } from "./types";

/** A document of another cluster that waits for a merge. */
export interface Aside {
  doc: Doc;
  cluster: number;
}

// Both outlive a view: a merge is of several clusters, and an undo may come after a step.
let asides: Aside[] = [];
const made: number[] = [];

export interface Review {
  decisions: Decision[];
  asides: Aside[];
  selected: ReadonlySet<string>;
  toggle: (doc: Doc) => void;
  /** `instead`: the document that the cluster kept. */
  keep: (doc: Doc, instead: Doc | undefined) => void;
  split: (docs: Doc[]) => void;
  merge: (docs: Doc[]) => void;
  putAside: (docs: Doc[]) => void;
  dropAside: (key: string) => void;
  undoLast: () => void;
}

export function useReview(api: Api, cluster: number, changed: () => void): Review {
  const [decisions, setDecisions] = useState<Decision[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [, redraw] = useState(0);

  const load = () =>
    api.decisions().then(
      (all) => setDecisions(all.decisions),
      (error: unknown) => announce(messageOf(error)),
    );
  useEffect(() => {
    setSelected(new Set());
    void load();
  }, [cluster]);

  const toggle = ({ key, id }: Doc) => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    setSelected(next);
    announce(`${next.has(key) ? "Selected" : "No longer selected"}: ${shortId(id)}.`);
  };
  const act = async (work: () => Promise<string>) => {
    try {
      const done = await work();
      await load();
      changed();
      announce(done);
    } catch (error) {
      announce(`Not done: ${messageOf(error)}`);
    }
  };
  const decide = (decision: DecisionKind, docs: Doc[], done: string) =>
    act(async () => {
      const documents = docs.map(({ key }) => key);
      const stored = await api.decide({ decision, cluster, documents });
      made.push(stored.number);
      setSelected(new Set());
      if (decision === "merge") asides = [];
      return `${done} Press u or Undo to take it back.`;
    });

  return {
    decisions,
    asides,
    selected,
    toggle,
    keep: (doc, instead) => {
      const place = instead === undefined ? "" : ` in place of ${shortId(instead.id)}`;
      void decide("keep", [doc], `${shortId(doc.id)} will be kept${place}.`);
    },
    split: (docs) => void decide("split", docs, `${counted(docs.length, "document")} split off.`),
    merge: (docs) => {
      const others = asides.filter(({ doc }) => docs.every(({ key }) => key !== doc.key));
      const all = [...docs, ...others.map(({ doc }) => doc)];
      if (others.length === 0) {
        announce("Nothing is put aside. Go to the other cluster and press a or Put aside first.");
      } else void decide("merge", all, `${counted(all.length, "document")} merged.`);
    },
    putAside: (docs) => {
      const kept = asides.filter(({ doc }) => docs.every(({ key }) => key !== doc.key));
      asides = [...kept, ...docs.map((doc) => ({ doc, cluster }))];
      setSelected(new Set());
      announce(`${counted(asides.length, "document")} put aside for a merge.`);
      redraw((n) => n + 1);
    },
    dropAside: (key) => {
      asides = asides.filter(({ doc }) => doc.key !== key);
      announce(`${counted(asides.length, "document")} put aside.`);
      redraw((n) => n + 1);
    },
    undoLast: () => {
      const number = made[made.length - 1];
      if (number === undefined) {
        announce("There is no decision of this visit to undo. Decisions lists all of them.");
        return;
      }
      void act(async () => {
        made.pop(); // whatever comes of it: somebody else may have taken it back
        await api.undo(number);
        return `Decision ${number} is undone.`;
      });
    },
  };
}

/** Takes a decision off the list of those that `u` undoes. */
export function forget(number: number): void {
  const at = made.indexOf(number);
  if (at >= 0) made.splice(at, 1);
}

const kShown = 60;

const kDirectionalMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * An id in a sentence or label of plain text. The isolates keep a right-to-left id from turning the
 * rest around; its own directional marks, which could end them, are replaced.
 */
export function shortId(id: string): string {
  const points = [...id.replace(kDirectionalMarks, "\ufffd")];
  const cut = points.length > kShown ? "…" : "";
  return `\u2068${points.slice(0, kShown).join("")}${cut}\u2069`;
}

export const kDecisionNames: Record<DecisionKind, string> = {
  keep: "keep this",
  split: "split off",
  merge: "merge",
};
