// Elements are made here and nowhere else, so that foreign text can only become a text node.

export type Child = Node | string | number | null | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Makes an element. An attribute of `true` is set empty, of `false` left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  return add(element, ...children);
}

/** Appends children: strings and numbers as text nodes; null, undefined and false are skipped. */
export function add<T extends Element | DocumentFragment>(parent: T, ...children: Child[]): T {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === "number" ? String(child) : child);
  }
  return parent;
}

/** Foreign text in a line of ours: its writing direction stays its own. */
export function foreign(text: string, className = "id"): HTMLElement {
  return h("bdi", { class: className, dir: "auto" }, text);
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`expected an element #${id} in the template`);
  return element;
}

export interface Column {
  name: string;
  /** Numbers are set flush right. */
  numeric?: boolean;
}

/** A table whose first column heads its rows. */
export function table(caption: string, columns: Column[], rows: Child[][]): HTMLTableElement {
  const kind = (i: number) => (columns[i]?.numeric ? "number" : "words");
  const head = columns.map((c, i) => h("th", { scope: "col", class: kind(i) }, c.name));
  const body = rows.map((cells) =>
    h(
      "tr",
      {},
      ...cells.map((cell, i) =>
        i === 0
          ? h("th", { scope: "row", class: kind(i) }, cell)
          : h("td", { class: kind(i) }, cell),
      ),
    ),
  );
  return h(
    "table",
    {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...body),
  );
}

/** A box in which a wide table scrolls by itself, never the page. */
export function scroller(label: string, content: Node): HTMLElement {
  return h("div", { class: "scroller", role: "region", "aria-label": label, tabindex: 0 }, content);
}
