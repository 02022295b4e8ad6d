// Single keys for a cluster under review. They rest while somebody types, and can be turned off.

export interface KeyHelp {
  key: string;
  shown: string;
  does: string;
}

export const kKeys: KeyHelp[] = [
  { key: "j", shown: "j", does: "Next member" },
  { key: "k", shown: "k", does: "Previous member" },
  { key: "x", shown: "x", does: "Select the member, or take the selection back" },
  { key: "K", shown: "Shift + k", does: "Keep this member in place of the kept document" },
  { key: "S", shown: "Shift + s", does: "Split: the selected members are not the same, and stay" },
  { key: "M", shown: "Shift + m", does: "Merge the selected members with those put aside" },
  { key: "a", shown: "a", does: "Put the selected members aside for a merge" },
  { key: "u", shown: "u", does: "Undo the last decision of this visit" },
  { key: "n", shown: "n", does: "Next cluster" },
  { key: "p", shown: "p", does: "Previous cluster" },
  { key: "?", shown: "?", does: "Show these keys" },
];

export type KeyHandlers = Readonly<Record<string, () => void>>;

const kStored = "lookalike-keys";

export function keysAreOn(): boolean {
  try {
    return localStorage.getItem(kStored) !== "off";
  } catch {
    return keysOfPage;
  }
}

// Storage can be refused; the choice then lasts as long as the page.
let keysOfPage = true;

export function turnKeys(on: boolean): void {
  keysOfPage = on;
  try {
    localStorage.setItem(kStored, on ? "on" : "off");
  } catch {
    return;
  }
}

/** Listens until the result is called. */
export function listenToKeys(handlers: () => KeyHandlers): () => void {
  const listener = (event: KeyboardEvent) => {
    const handler = Object.hasOwn(handlers(), event.key) ? handlers()[event.key] : undefined;
    if (handler === undefined || !mayAct(event)) return;
    event.preventDefault();
    handler();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

function mayAct(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  // The arrows of a slider or list are its own, and so are its letters.
  if (event.target instanceof HTMLElement && event.target.matches(kFields)) return false;
  return keysAreOn() && document.querySelector("dialog[open]") === null;
}

const kFields = "input:not([type=checkbox]), textarea, select, [contenteditable]";
