// What views have in common: loading, the width of the window, the title, announcements.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isAbort } from "./api";

export type Loaded<T> =
  | { state: "loading"; value?: undefined }
  | { state: "ready"; value: T }
  | { state: "failed"; value?: undefined; error: unknown };

/** Loads when `inputs` change; an answer that comes too late is dropped. */
export function useLoaded<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setLoaded({ state: "loading" });
    load().then(
      (value) => {
        if (current) setLoaded({ state: "ready", value });
      },
      (error: unknown) => {
        if (current && !isAbort(error)) setLoaded({ state: "failed", error });
      },
    );
    return () => {
      current = false;
    };
  }, [...inputs, round]);
  return [loaded, useCallback(() => setRound((n) => n + 1), [])];
}

/** The newest value, for listeners that are set up once. */
export function useNewest<T>(value: T): () => T {
  const newest = useRef(value);
  newest.current = value;
  return useCallback(() => newest.current, []);
}

const kNarrow = "(max-width: 46rem)";

export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(kNarrow).matches);
  useEffect(() => {
    const query = matchMedia(kNarrow);
    const update = () => setNarrow(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return narrow;
}

/** Pixels of a rem: rows grow with the reader's letters. */
export function remPixels(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Lookalike" : `${title} – Lookalike`;
  }, [title]);
}

/** Says something to readers of the screen, and shows it for a moment at the lower edge. */
export function announce(text: string): void {
  // The same words twice are only read again if something differs.
  again = !again;
  for (const listener of announcing) listener(again ? `${text}\u00a0` : text);
}

let again = false;

const announcing = new Set<(text: string) => void>();

export function useAnnouncements(): string {
  const [text, setText] = useState("");
  useEffect(() => {
    announcing.add(setText);
    return () => {
      announcing.delete(setText);
    };
  }, []);
  return text;
}
