import { type Child, h } from "./dom";

/** A list item whose heading opens a panel, which is drawn when it is opened first. */
export function opener(
  panelId: string,
  heading: Child[],
  draw: (panel: HTMLElement) => void,
): HTMLElement {
  const button = h(
    "button",
    { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": panelId },
    ...heading,
  );
  const panel = h("div", { id: panelId, class: "panel", hidden: true });
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    panel.hidden = !open;
    if (open && panel.childElementCount === 0) draw(panel);
  });
  return h("li", {}, h("h3", {}, button), panel);
}
