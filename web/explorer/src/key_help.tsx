// The dialog that shows the keys and turns them off.

import { useEffect, useRef, useState } from "preact/hooks";
import { kKeys, keysAreOn, turnKeys } from "./keys";

export function KeyHelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(keysAreOn);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const change = (wanted: boolean) => {
    turnKeys(wanted);
    setOn(wanted);
  };
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {kKeys.map(({ key, shown, does }) => (
          <div key={key}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="switch">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => change(event.currentTarget.checked)}
        />{" "}
        Single keys act on the cluster
      </label>
      <p class="muted">Keys rest while you type. Without them, the buttons do the same.</p>
      {/* Closed at once, so that the next key acts; the event of it tells the view. */}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
