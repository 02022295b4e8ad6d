// The client of the server's JSON API. Addresses are relative, so that the page also works behind
// a proxy that serves it under a prefix.

import type { ReportData } from "../../report/src/data";
import type {
  AllScores,
  Audited,
  Changes,
  ClusterAnswer,
  ClusterPage,
  Compared,
  Conflicts,
  Decision,
  Decisions,
  FindingKind,
  FindingPage,
  GrowthSample,
  GuardedPage,
  IndexCluster,
  IndexClusterPage,
  Matches,
  NewDecision,
  Query,
  ResultInfo,
  Side,
  Stats,
  StoredDocument,
} from "./types";

const kTokenName = "lookalike-token";
const kRetries = 3;
// A server that says nothing about when to come back is asked again after this many seconds.
const kDefaultRetryAfter = 1;
const kLongestRetryAfter = 30;

/** An answer that is not a success, with the server's explanation as the message. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

/** Asks the person for a token; `refused` is true if the last one was not accepted. */
export type AskToken = (refused: boolean) => Promise<string>;

type Parameters = Readonly<Record<string, string | number | undefined>>;

interface Ask {
  method?: "GET" | "POST" | "DELETE";
  parameters?: Parameters;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export class Api {
  private asking: Promise<string> | null = null;

  constructor(private readonly askToken: AskToken) {}

  result = () => this.ask<ResultInfo>("v1/result");
  report = () => this.ask<ReportData>("v1/result/report");
  decisions = () => this.ask<Decisions>("v1/result/decisions");
  growth = () => this.ask<{ growth: GrowthSample[] }>("v1/growth");
  stats = (audit?: number) => this.ask<Stats>("v1/stats", { parameters: { audit } });

  clusters(q: string, after: string, limit: number, signal?: AbortSignal): Promise<ClusterPage> {
    return this.ask("v1/result/clusters", { parameters: { q, after, limit }, signal });
  }

  guarded(after: string, limit: number): Promise<GuardedPage> {
    return this.ask("v1/result/guarded", { parameters: { after, limit } });
  }

  cluster(n: number, after = "", limit = 1000): Promise<ClusterAnswer> {
    return this.ask(`v1/result/clusters/${n}`, { parameters: { after, limit } });
  }

  conflicts(n: number): Promise<Conflicts> {
    return this.ask(`v1/result/clusters/${n}/conflicts`);
  }

  audit = () => this.ask<Audited>("v1/result/audit");

  findings(
    kind: FindingKind,
    after: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<FindingPage> {
    return this.ask("v1/result/audit/findings", { parameters: { kind, after, limit }, signal });
  }

  decide(body: NewDecision): Promise<Decision> {
    return this.ask("v1/result/decisions", { method: "POST", body });
  }

  undo(number: number): Promise<unknown> {
    return this.ask(`v1/result/decisions/${number}`, { method: "DELETE" });
  }

  document(key: string): Promise<StoredDocument> {
    return this.ask(`v1/documents/${pathPart(key)}`);
  }

  compare(a: Side, b: Side): Promise<Compared> {
    return this.ask("v1/compare", { method: "POST", body: { a, b } });
  }

  compareAll(documents: string[]): Promise<AllScores> {
    return this.ask("v1/compare:all", { method: "POST", body: { documents } });
  }

  query(body: Query): Promise<Matches> {
    return this.ask("v1/query", { method: "POST", body });
  }

  indexClusters(after: string, limit: number, signal?: AbortSignal): Promise<IndexClusterPage> {
    return this.ask("v1/clusters", { parameters: { after, limit }, signal });
  }

  indexCluster(name: string): Promise<IndexCluster> {
    return this.ask(`v1/clusters/${pathPart(name)}`);
  }

  changes(since: number, limit: number): Promise<Changes> {
    return this.ask("v1/changes", { parameters: { since, limit } });
  }

  private async ask<T>(path: string, ask: Ask = {}): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      const token = storedToken();
      const response = await this.send(path, ask, token);
      if (response.status === 401) {
        await this.renewToken(token);
        tries = -1;
      } else if (response.status === 503 && tries < kRetries) {
        await pause(retryAfter(response), ask.signal);
      } else {
        return (await read(response)) as T;
      }
    }
  }

  private async send(path: string, ask: Ask, token: string | null): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token !== null) headers["Authorization"] = `Bearer ${token}`;
    if (ask.body !== undefined) headers["Content-Type"] = "application/json";
    try {
      return await fetch(path + queryString(ask.parameters ?? {}), {
        method: ask.method ?? "GET",
        headers,
        ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
        ...(ask.signal === undefined ? {} : { signal: ask.signal }),
      });
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new Problem(0, "The server did not answer. Check that lookalike serve still runs.");
    }
  }

  // All requests that were refused wait for one form; a token that came meanwhile is tried first.
  private async renewToken(used: string | null): Promise<void> {
    if (storedToken() !== used) return;
    this.asking ??= this.askToken(used !== null);
    try {
      storeToken(await this.asking);
    } finally {
      this.asking = null;
    }
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** encodeURIComponent for any text: it throws on half a surrogate pair, which an id may hold. */
export function pathPart(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function queryString(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== "",
  );
  if (given.length === 0) return "";
  return `?${given.map(([name, value]) => `${name}=${pathPart(String(value))}`).join("&")}`;
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  let answer: unknown = null;
  try {
    if (text !== "") answer = JSON.parse(text);
  } catch {
    throw new Problem(response.status, `The server's answer is not JSON (${response.status}).`);
  }
  if (response.ok) return answer;
  throw new Problem(response.status, detailOf(answer) ?? `The server answered ${response.status}.`);
}

function detailOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null) return null;
  const { detail, title } = answer as { detail?: unknown; title?: unknown };
  for (const text of [detail, title]) if (typeof text === "string" && text !== "") return text;
  return null;
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("Retry-After") ?? kDefaultRetryAfter);
  const known = Number.isFinite(seconds) && seconds >= 0 ? seconds : kDefaultRetryAfter;
  return 1000 * Math.min(known, kLongestRetryAfter);
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      fail(new DOMException("The request was stopped.", "AbortError"));
    });
  });
}

// Storage can be refused by the browser's settings; the token then lasts as long as the page.
let tokenOfPage: string | null = null;

function storedToken(): string | null {
  try {
    return sessionStorage.getItem(kTokenName) ?? tokenOfPage;
  } catch {
    return tokenOfPage;
  }
}

function storeToken(token: string): void {
  tokenOfPage = token;
  try {
    sessionStorage.setItem(kTokenName, token);
  } catch {
    return;
  }
}
