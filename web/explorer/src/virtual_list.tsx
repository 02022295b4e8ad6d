// A list of any length of which only the rows in sight are in the document.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

// Browsers give up on elements that are much taller; a longer list scrolls by proportion.
const kMostPixels = 12_000_000;
const kOverscan = 8;

/** Where lists were scrolled to, for the way back from a cluster. */
const places = new Map<string, number>();

interface Props {
  label: string;
  /** Names the list among those whose position is remembered. */
  place: string;
  length: number;
  rowHeight: number;
  /** True if more rows may follow. */
  open: boolean;
  row: (i: number) => ListedRow;
  /** The rows in sight, the last included. */
  onShow: (first: number, last: number) => void;
}

/** A row is one link, which the list makes: it keeps the focus while its content comes. */
export interface ListedRow {
  href: string;
  class?: string;
  content: ComponentChildren;
}

export function VirtualList({ label, place, length, rowHeight, open, row, onShow }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [active, setActive] = useState(0);
  const [focused, setFocused] = useState<number | null>(null);
  const focusWanted = useRef(false);

  const whole = length * rowHeight;
  const drawn = Math.min(whole, kMostPixels);
  const scale = whole > drawn ? (whole - height) / Math.max(1, drawn - height) : 1;
  const offset = top * scale;
  const first = clamp(Math.floor(offset / rowHeight) - kOverscan, 0, length - 1);
  const last = clamp(Math.ceil((offset + height) / rowHeight) + kOverscan, first, length - 1);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setHeight(Math.max(rowHeight, element.clientHeight));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [rowHeight]);

  useLayoutEffect(() => {
    if (box.current === null) return;
    box.current.scrollTop = places.get(place) ?? 0;
    setTop(box.current.scrollTop);
    setActive(Math.ceil(box.current.scrollTop / rowHeight));
  }, []);

  useEffect(() => onShow(first, Math.max(last, first)), [first, last, length, onShow]);

  useLayoutEffect(() => {
    if (!focusWanted.current) return;
    const link = box.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (link === null || link === undefined) return;
    focusWanted.current = false;
    link.focus({ preventScroll: true });
  });

  const moveTo = (i: number) => {
    const target = clamp(i, 0, length - 1);
    const element = box.current;
    if (element === null) return;
    const begin = target * rowHeight;
    if (begin < offset) element.scrollTop = begin / scale;
    else if (begin + rowHeight > offset + height) {
      element.scrollTop = Math.ceil((begin + rowHeight - height) / scale);
    }
    focusWanted.current = true;
    setTop(element.scrollTop);
    setActive(target);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: length - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };

  const onFocusIn = (event: FocusEvent) => {
    const at = (event.target as HTMLElement).dataset["row"];
    if (at === undefined) return;
    setActive(Number(at));
    setFocused(Number(at));
  };

  // One row is always in the order of Tab: one in sight, unless another has the focus.
  const inTabOrder = focused ?? clamp(active, first, last);
  const shown = rowsToDraw(first, last, length, focused);
  return (
    <div
      class="virtual"
      ref={box}
      onScroll={({ currentTarget: { scrollTop } }) => {
        places.set(place, scrollTop);
        setTop(scrollTop);
      }}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
      onFocusOut={() => setFocused(null)}
    >
      <div class="virtual-whole" role="list" aria-label={label} style={{ height: `${drawn}px` }}>
        {shown.map((i) => (
          <div
            key={i}
            class="virtual-row"
            role="listitem"
            aria-setsize={open ? -1 : length}
            aria-posinset={i + 1}
            style={{
              height: `${rowHeight}px`,
              transform: `translateY(${top + i * rowHeight - offset}px)`,
            }}
          >
            <RowLink {...row(i)} i={i} tabIndex={i === inTabOrder ? 0 : -1} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The row with the focus is drawn even out of sight: the focus would be lost with it. */
function rowsToDraw(first: number, last: number, length: number, focused: number | null) {
  if (length === 0) return [];
  const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  if (focused === null || focused >= length) return rows;
  if (focused < first) rows.unshift(focused);
  if (focused > last) rows.push(focused);
  return rows;
}

function RowLink({ href, class: more = "", content, i, tabIndex }: ListedRow & LinkProps) {
  return (
    <a class={`cluster-row ${more}`} href={href} tabIndex={tabIndex} data-row={i}>
      {content}
    </a>
  );
}

interface LinkProps {
  i: number;
  tabIndex: number;
}

function clamp(i: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, i));
}
