// Small parts that many views use, and the bridge to the plain-DOM parts of the report page.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { messageOf } from "./api";
import type { Loaded } from "./hooks";

type Redraw = (printing: boolean) => void;

const redraws = new Set<Redraw>();

/** Draws every chart again, in the colours now in force. */
export function redrawAll(printing: boolean): void {
  for (const redraw of redraws) redraw(printing);
}

interface DrawnProps {
  /** Draws into the empty element; the result, if any, draws again in other colours. */
  draw: (root: HTMLElement) => Redraw | void;
  /** Drawn anew when one of these changes. */
  inputs: readonly unknown[];
  id?: string;
  class?: string;
}

/** An element that a function of web/report fills. */
export function Drawn({ draw, inputs, id, class: className }: DrawnProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current;
    if (root === null) return;
    root.replaceChildren();
    const redraw = draw(root);
    if (typeof redraw !== "function") return;
    redraws.add(redraw);
    redraw(false);
    return () => {
      redraws.delete(redraw);
    };
  }, inputs);
  return <div ref={host} id={id} class={className} />;
}

/** Foreign text in a line of ours: its writing direction stays its own. */
export function Foreign({ text, class: className = "id" }: { text: string; class?: string }) {
  return (
    <bdi class={className} dir="auto">
      {text}
    </bdi>
  );
}

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="notice warning" role="alert">
      {messageOf(error)}{" "}
      {retry !== undefined && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="empty" role="status">
      Loading {what} …
    </p>
  );
}

interface WhenProps<T> {
  loaded: Loaded<T>;
  what: string;
  retry: () => void;
  children: (value: T) => ComponentChildren;
}

/** Shows the value when it is there; before that, or if it failed, what is the matter. */
export function When<T>({ loaded, what, retry, children }: WhenProps<T>) {
  if (loaded.state === "loading") return <Loading what={what} />;
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={retry} />;
  return <>{children(loaded.value)}</>;
}

export function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class="figure-value">{value}</dd>
      {note !== undefined && <dd class="figure-note">{note}</dd>}
    </div>
  );
}
