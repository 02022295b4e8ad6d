"""Collaborative filtering: customers and items that are alike at a fifth in common.

The ratings are made, with tastes planted in them: no set of real ones could be had whose terms
clearly allow passing it on. The way is that of MMDS, sections 3.1.2 and 3.1.3: customers by what
they bought, items by who bought them, clusters of items, and customers again by the clusters.
"""

from __future__ import annotations

import collections
import csv
import random
from pathlib import Path

from shared import lookalike, pairs_in, parse_call, read_rows, report, share, write_rows

SERIES, VOLUMES = 12, 5  # each taste has series, each series volumes
CUSTOMERS_OF_TASTE = 250


def make_ratings(file: Path, customers: int, rng: random.Random) -> list[int]:
    """A table of customer, item, stars. Returns the taste of each customer."""
    count = max(1, customers // CUSTOMERS_OF_TASTE)
    tastes = [rng.randrange(count) for _ in range(customers)]
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(("customer", "item", "stars"))
        for customer, taste in enumerate(tastes):
            bought = set()
            for series in rng.sample(range(SERIES), 4):  # of each three volumes
                bought |= {(taste, series, volume) for volume in rng.sample(range(VOLUMES), 3)}
            for _ in range(3):
                bought.add((rng.randrange(count), rng.randrange(SERIES), rng.randrange(VOLUMES)))
            for item in sorted(bought):
                stars = rng.choice((4, 5) if item[0] == taste else (1, 2, 3))
                table.writerow((f"c{customer}", "t{}-s{}-v{}".format(*item), stars))
    return tastes


def judge(pairs: set[tuple[str, str]], tastes: list[int]) -> tuple[float, float]:
    """Which share of pairs is of one taste, and which share of all such pairs that is."""
    right = sum(tastes[int(a[1:])] == tastes[int(b[1:])] for a, b in pairs)
    every = sum(n * (n - 1) // 2 for n in collections.Counter(tastes).values())
    return share(right, len(pairs)), share(right, every)


def clusters_of(file: Path, items: list[str]) -> dict[str, str]:
    """Items to clusters: the connected components of alike pairs."""
    parent = {item: item for item in items}

    def root(item: str) -> str:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for a, b in sorted(pairs_in(file)):
        parent[root(b)] = root(a)
    return {item: root(item) for item in items}


def top_k(file: Path, k: int) -> dict[str, list[str]]:
    """The k most alike customers of each customer that is in a pair."""
    near = collections.defaultdict(list)
    for row in read_rows(file):
        near[row["a"]].append((-row["resemblance"], row["b"]))
        near[row["b"]].append((-row["resemblance"], row["a"]))
    return {each: [other for _, other in sorted(others)[:k]] for each, others in near.items()}


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    out = call.folder
    tastes = make_ratings(out / "ratings.csv", call.items, random.Random(2))
    for by, item, name in (("customer", "item", "customers"), ("item", "customer", "items")):
        lookalike("group", out / "ratings.csv", "-o", out / f"{name}.jsonl", "--by", by, "--item",
                  item, "--weight", "stars", "--json", folder=out)  # fmt: skip
    pairs = ("--preset", "baskets", "--ratings", "at-least:3", "--json")
    for name, threshold in (("customers", "0.2"), ("items", "0.25")):
        lookalike("pairs", out / f"{name}.jsonl", "-o", out / f"{name}-pairs.jsonl", *pairs,
                  "--threshold", threshold, folder=out)  # fmt: skip
    customers = read_rows(out / "customers.jsonl")
    items = [row["id"] for row in read_rows(out / "items.jsonl")]
    cluster = clusters_of(out / "items-pairs.jsonl", items)
    by_cluster = (
        {"id": row["id"], "items": sorted({cluster[i] for i, stars in row["items"] if stars >= 3})}
        for row in customers
    )
    write_rows(out / "by-cluster.jsonl", by_cluster)
    lookalike("pairs", out / "by-cluster.jsonl", "-o", out / "by-cluster-pairs.jsonl", "--preset",
              "baskets", "--json", folder=out)  # fmt: skip
    near = top_k(out / "customers-pairs.jsonl", 5)
    right = [tastes[int(a[1:])] == tastes[int(b[1:])] for a, others in near.items() for b in others]
    items_right = {p for p in pairs_in(out / "items-pairs.jsonl") if p[0][:3] == p[1][:3]}
    before = judge(pairs_in(out / "customers-pairs.jsonl"), tastes)
    after = judge(pairs_in(out / "by-cluster-pairs.jsonl"), tastes)
    report(
        customers=len(customers),
        items=len(items),
        pairs_of_customers_at_0_2=len(read_rows(out / "customers-pairs.jsonl")),
        share_of_one_taste=before[0],
        of_all_pairs_of_one_taste=before[1],
        five_most_alike_of_one_taste=share(sum(right), len(right)),
        pairs_of_items_of_one_taste=share(
            len(items_right), len(pairs_in(out / "items-pairs.jsonl"))
        ),
        clusters_of_items=len(set(cluster.values())),
        by_clusters_pairs_at_0_2=len(read_rows(out / "by-cluster-pairs.jsonl")),
        by_clusters_share_of_one_taste=after[0],
        by_clusters_of_all_pairs_of_one_taste=after[1],
    )


if __name__ == "__main__":
    main()
