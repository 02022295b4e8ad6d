// Every view is a link: the part of the address behind # says what is shown.

import { pathPart } from "./api";

export type Route =
  | { view: "overview" }
  | { view: "like"; id: string }
  | { view: "clusters"; q: string }
  | { view: "cluster"; name: string }
  /** `from`: the kind of finding of an audit, and what its second document is. */
  | { view: "compare"; a: string; b: string; from?: string }
  | { view: "decisions" }
  | { view: "audit"; kind: string }
  | { view: "unknown" };

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#/, ""), "?");
  const parts = path.split("/").filter((part) => part !== "").map(decoded);
  const parameters = new URLSearchParams(query);
  const parameter = (name: string) => parameters.get(name) ?? "";
  const [view = "", name = ""] = parts;
  if (parts.length === 2 && view === "cluster") return { view, name };
  if (parts.length > 1) return { view: "unknown" };
  switch (view) {
    case "":
      return { view: "overview" };
    case "like":
      return { view, id: parameter("id") };
    case "clusters":
      return { view, q: parameter("q") };
    case "compare":
      return {
        view,
        a: parameter("a"),
        b: parameter("b"),
        ...(parameter("from") === "" ? {} : { from: parameter("from") }),
      };
    case "decisions":
      return { view };
    case "audit":
      return { view, kind: parameter("kind") };
    default:
      return { view: "unknown" };
  }
}

export function linkTo(route: Route): string {
  switch (route.view) {
    case "like":
      return `#/like${query({ id: route.id })}`;
    case "clusters":
      return `#/clusters${query({ q: route.q })}`;
    case "cluster":
      return `#/cluster/${pathPart(route.name)}`;
    case "compare":
      return `#/compare${query({ a: route.a, b: route.b, from: route.from ?? "" })}`;
    case "decisions":
      return "#/decisions";
    case "audit":
      return `#/audit${query({ kind: route.kind })}`;
    default:
      return "#/";
  }
}

export const linkToCluster = (cluster: number | string) =>
  linkTo({ view: "cluster", name: String(cluster) });

export function go(route: Route): void {
  location.hash = linkTo(route);
}

/** Changes the address without a step in the history, for what changes at every key. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, "", linkTo(route));
  // Browsers only say so of steps in the history.
  window.dispatchEvent(new Event("hashchange"));
}

function query(parameters: Record<string, string>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  if (given.length === 0) return "";
  return `?${given.map(([name, value]) => `${name}=${pathPart(value)}`).join("&")}`;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

// A link may have been cut or typed by hand.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
