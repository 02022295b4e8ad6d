// Rows of a long list, fetched in parts as they come into sight.

export interface Part<Row> {
  rows: Row[];
  next: string | null;
  /** All rows that there are without a search, if the server says so. */
  of?: number;
}

export type FetchPart<Row> = (
  after: string,
  limit: number,
  signal: AbortSignal,
) => Promise<Part<Row>>;

export interface Progress {
  /** Rows that are known by now. */
  found: number;
  /** Rows that the server went through, and all that there are. */
  lookedAt: number;
  of: number | null;
  done: boolean;
  loading: boolean;
  error: unknown;
}

export interface RowSource<Row> {
  /** Rows that the list has room for; those that are not there yet are fetched when needed. */
  readonly length: number;
  readonly progress: Progress;
  row(i: number): Row | undefined;
  /** Fetches what is missing of the rows. */
  need(first: number, last: number): void;
  /** Everything fetched so far, in order. */
  known(): Row[];
  retry(): void;
  stop(): void;
}

const kPart = 200;

/**
 * Rows that only come one part after the other: those of a search. It goes on until the rows in
 * sight are there. A part can be empty and still have a next one.
 */
export class SequentialRows<Row> implements RowSource<Row> {
  private readonly rows: Row[] = [];
  private readonly stopping = new AbortController();
  private next: string | null = "";
  private of: number | null = null;
  private wanted = 0;
  private loading = false;
  private error: unknown = null;

  constructor(
    private readonly fetchPart: FetchPart<Row>,
    private readonly changed: () => void,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  get progress(): Progress {
    const { rows, of, loading, error } = this;
    const done = this.next === null;
    const position = Number(this.next);
    const sofar = Number.isFinite(position) ? position : rows.length;
    const lookedAt = done ? (of ?? rows.length) : sofar;
    return { found: rows.length, lookedAt, of, done, loading, error };
  }

  row(i: number): Row | undefined {
    return this.rows[i];
  }

  known(): Row[] {
    return [...this.rows];
  }

  // A little more than asked for, so that the end of the list is met before it is seen.
  need(_first: number, last: number): void {
    this.wanted = Math.max(this.wanted, last + kPart / 2);
    void this.goOn();
  }

  retry(): void {
    this.error = null;
    void this.goOn();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async goOn(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    while (this.mayGoOn()) {
      try {
        const part = await this.fetchPart(this.next ?? "", kPart, this.stopping.signal);
        this.rows.push(...part.rows);
        this.next = part.next;
        this.of = part.of ?? null;
      } catch (error) {
        this.error = error;
      }
      if (this.stopping.signal.aborted) return;
      this.loading = this.mayGoOn();
      this.changed();
    }
    this.loading = false;
  }

  private mayGoOn(): boolean {
    return this.next !== null && this.error === null && this.rows.length < this.wanted;
  }
}

/**
 * All clusters of a result: the n-th row is the cluster n, so any part can be fetched at once.
 */
export class NumberedRows<Row> implements RowSource<Row> {
  private readonly parts = new Map<number, Row[]>();
  private readonly asked = new Set<number>();
  private readonly stopping = new AbortController();
  private error: unknown = null;

  constructor(
    readonly length: number,
    private readonly fetchPart: FetchPart<Row>,
    private readonly changed: () => void,
  ) {}

  get progress(): Progress {
    const { length, error } = this;
    const loading = this.asked.size > 0;
    return { found: length, lookedAt: length, of: length, done: true, loading, error };
  }

  row(i: number): Row | undefined {
    return this.parts.get(Math.floor(i / kPart))?.[i % kPart];
  }

  known(): Row[] {
    return [...this.parts.entries()].sort(([x], [y]) => x - y).flatMap(([, rows]) => rows);
  }

  need(first: number, last: number): void {
    if (this.error !== null) return;
    const end = Math.min(last, this.length - 1);
    for (let p = Math.floor(first / kPart); p <= Math.floor(end / kPart); p += 1) void this.load(p);
  }

  retry(): void {
    this.error = null;
    this.changed();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async load(p: number): Promise<void> {
    if (this.parts.has(p) || this.asked.has(p)) return;
    this.asked.add(p);
    try {
      const after = p === 0 ? "" : String(p * kPart);
      this.parts.set(p, (await this.fetchPart(after, kPart, this.stopping.signal)).rows);
    } catch (error) {
      this.error = error;
    }
    this.asked.delete(p);
    if (!this.stopping.signal.aborted) this.changed();
  }
}
