"""Shows results in notebooks: the numbers and the one picture that matter, without scripts."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from ._results import Comparison, Plan

_BAR = "#4477aa"
_LINE = "#cc6677"
_BINS = 20
_ROWS_SHOWN = 5
_CELL = "text-align:left;padding:2px 14px 2px 0"


def _table(header: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th style='{_CELL}'>{html.escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td style='{_CELL}'>{cell}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    # A table of facts has no header; an empty row would waste space.
    shown = f"<thead><tr>{head}</tr></thead>" if any(header) else ""
    return f"<table>{shown}<tbody>{body}</tbody></table>"


def _svg(width: int, height: int, content: str, label: str) -> str:
    return (
        f"<svg role='img' aria-label='{html.escape(label)}' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}' style='font:11px sans-serif'>{content}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='currentColor'>"
        f"{html.escape(text)}</text>"
    )


def _histogram(values: list[float], label: str, colour: str = _BAR) -> str:
    """Draws counts as bars in steps of .05, from the lowest value on."""
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value * _BINS + 1e-9), _BINS - 1)] += 1
    first = next((i for i, count in enumerate(counts) if count), 0)
    shown = counts[first:]
    width, height, base = 420, 130, 100
    step = width / len(shown)
    most = max(shown) or 1
    parts = []
    for i, count in enumerate(shown):
        tall = 80 * count / most
        parts.append(
            f"<rect x='{i * step + 1:.1f}' y='{base - tall:.1f}' width='{step - 2:.1f}' "
            f"height='{tall:.1f}' fill='{colour}'><title>{(first + i) / _BINS:.2f} to "
            f"{(first + i + 1) / _BINS:.2f}: {count:,}</title></rect>"
        )
        parts.append(_text(i * step + step / 2, base + 13, f"{(first + i) / _BINS:.2f}"))
    parts.append(_text(width / 2, height - 3, label))
    return _svg(width, height, "".join(parts), label)


def _recall(recall: dict[str, Any]) -> str:
    left_out = recall.get("covers", {}).get("left_out", 0)
    short = f"; {left_out:,} documents too short to be searched" if left_out else ""
    return _measured(recall) + short


def _measured(recall: dict[str, Any]) -> str:
    if recall.get("estimate") is None:
        return f"requested {recall['asked']:.3f}; not measured"
    measured = f"{recall['estimate']:.4f}"
    if recall.get("low") is not None and recall.get("high") is not None:
        measured += f" (95 %: {recall['low']:.4f} to {recall['high']:.4f})"
    warning = "" if recall.get("met", True) else " <b>below the requested recall</b>"
    return f"requested {recall['asked']:.3f}, measured {measured}{warning}"


def _measure(table: pa.Table) -> str:
    """Returns the name of the measure that decided."""
    return "containment" if "containment_ab" in table.column_names else "resemblance"


def _decided(table: pa.Table) -> list[float]:
    """Returns the deciding value of every row."""
    if _measure(table) == "resemblance":
        values: list[float] = table["resemblance"].to_pylist()
        return values
    directions = (table[f"containment_{way}"].to_pylist() for way in ("ab", "ba"))
    return [max(pair) for pair in zip(*directions, strict=True)]


def dedup(manifest: dict[str, Any], removed: pa.Table) -> str:
    """Shows counts, recall, removed documents by the deciding measure, and the first of them."""
    records = manifest["records"]
    if not manifest.get("exact", True):
        facts = [
            ["documents", f"{records['in']:,}"],
            ["clusters, by sketches", f"{manifest['clusters']:,}"],
            ["could be removed", f"<b>{manifest['suggested']:,}</b>"],
            ["removed", "nothing, as there are no texts to verify"],
        ]
        return f"<div>{_table(['', ''], facts)}</div>"
    near = "near copies" if _measure(removed) == "resemblance" else "overlapping"
    facts = [
        ["documents", f"{records['in']:,}"],
        ["kept", f"<b>{records['kept']:,}</b>"],
        ["removed, exact copies", f"{records['removed_exact']:,}"],
        [f"removed, {near}", f"{records['removed_near']:,}"],
        *_kept_by(manifest.get("kept_by", {})),
        ["rejected", f"{records['rejected']:,}"],
        ["recall", _recall(manifest["recall"])],
    ]
    content = _table(["", ""], facts)
    if len(removed):
        content += _removed(removed)
    return f"<div>{content}</div>"


def _kept_by(counts: dict[str, int]) -> list[list[str]]:
    """A row on how many removals only the order of the inputs decided, if criteria were named."""
    if not counts:
        return []
    by_order = f"{counts['input order']:,} of {sum(counts.values()):,} removals"
    return [["decided by input order only", by_order]]


def _removed(removed: pa.Table) -> str:
    measure, values = _measure(removed), _decided(removed)
    if measure == "resemblance":
        witness, label = "kept witness", "resemblance to the kept witness"
    else:  # a document of the reference, which is not among the kept
        witness, label = "in the reference", "containment with that document"
    first = removed.slice(0, _ROWS_SHOWN).to_pylist()
    content = _histogram(values, label) + _table(
        ["removed", witness, "kind", measure],
        [
            [
                html.escape(str(row["id"])),
                html.escape(str(row["duplicate_of"])),
                row["kind"],
                f"{value:.4f}",
            ]
            for row, value in zip(first, values, strict=False)
        ],
    )
    if len(removed) > len(first):
        content += f"<p>and {len(removed) - len(first):,} more in <code>.removed</code></p>"
    return content


def found_table(counted: str, summary: dict[str, Any], table: pa.Table) -> str:
    """Shows counts, recall, and rows by the deciding measure; distances have no scale to draw."""
    facts = [
        ["documents", f"{summary['records']['in']:,}"],
        [counted, f"<b>{summary[counted]:,}</b>"],
        ["recall", _recall(summary["recall"])],
    ]
    content = _table(["", ""], facts)
    if len(table) and "resemblance" in table.column_names:
        content += _histogram(_decided(table), f"{_measure(table)} of the {counted}")
    return f"<div>{content}</div>"


def _marked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for begin, end in sorted(spans):
        begin = max(begin, at)
        if end <= begin:
            continue
        parts.append(html.escape(text[at:begin]))
        parts.append(f"<mark>{html.escape(text[begin:end])}</mark>")
        at = end
    parts.append(html.escape(text[at:]))
    return "".join(parts)


def comparison(found: Comparison) -> str:
    """Shows the measures, and both texts side by side with the shared parts marked."""
    if found.distance is not None:
        return f"<div>{_table(['', ''], [['distance', f'<b>{found.distance}</b>']])}</div>"
    facts = [
        ["resemblance", f"<b>{found.resemblance:.4f}</b>"],
        ["share of A in B", f"{found.containment_ab:.4f}"],
        ["share of B in A", f"{found.containment_ba:.4f}"],
        ["features", f"{found.common:,} common, {found.size_a:,} in A, {found.size_b:,} in B"],
    ]
    cell = (
        "<td style='width:50%;vertical-align:top;text-align:left;white-space:pre-wrap;"
        "overflow-wrap:anywhere;padding:2px 14px 2px 0'>"
    )
    a = _marked(found.text_a, [(p[0], p[1]) for p in found.passages])
    b = _marked(found.text_b, [(p[2], p[3]) for p in found.passages])
    return (
        f"<div>{_table(['', ''], facts)}<table style='width:100%;table-layout:fixed'>"
        f"<tr><th style='{_CELL}'>A</th><th style='{_CELL}'>B</th></tr>"
        f"<tr>{cell}{a}</td>{cell}{b}</td></tr></table></div>"
    )


def _curve(acceptance: list[float], colour: str, width: float, height: float) -> str:
    points = " ".join(
        f"{30 + width * i / (len(acceptance) - 1):.1f},{10 + height * (1 - p):.1f}"
        for i, p in enumerate(acceptance)
    )
    return f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>"


def plan(plan: Plan, threshold: float) -> str:
    """Shows the predictions, and the S-curve: the probability of finding a pair, by resemblance."""
    chosen = plan.chosen
    facts = [
        ["documents", f"{plan.documents:,}"],
        ["pairs expected", f"{plan.pairs:,}"],
        ["design", html.escape(chosen["design"])],
        ["recall expected", f"{chosen['recall']:.4f}"],
        ["CPU time", f"{chosen['seconds']:.1f} s"],
        ["memory", f"{chosen['memory_bytes'] / 2**20:,.0f} MiB"],
        ["scratch space", f"{chosen['disk_bytes'] / 2**20:,.0f} MiB"],
    ]
    width, height = 360.0, 140.0
    at = 30 + width * threshold
    content = (
        f"<line x1='{at:.1f}' y1='10' x2='{at:.1f}' y2='{10 + height}' stroke='{_LINE}' "
        "stroke-dasharray='4 3'/>"
        f"<path d='M30 10V{10 + height}H{30 + width}' fill='none' stroke='currentColor'/>"
        + _curve(chosen["acceptance"], _BAR, width, height)
        + "".join(
            _text(30 + width * tick / 5, 24 + height, f"{tick / 5:.1f}") for tick in range(6)
        )
        + _text(26, 14, "1", "end")
        + _text(26, 10 + height, "0", "end")
        + _text(30 + width / 2, 40 + height, "resemblance; dashed: the threshold")
    )
    curve = _svg(420, 196, content, "probability that a pair is found, by resemblance")
    return f"<div>{_table(['', ''], facts)}{curve}</div>"
