// The frame of every view: header, navigation, token form, announcements, and the choice of view.

import { useEffect, useRef, useState } from "preact/hooks";
import { setUpTheme } from "../../report/src/theme";
import { Api, isStatus, type AskToken } from "./api";
import { AppContext } from "./context";
import { useAnnouncements, useLoaded, useTitle } from "./hooks";
import { ErrorNotice, Loading, redrawAll } from "./host";
import { linkTo, parseRoute, type Route } from "./route";
import { TokenForm, type TokenRequest } from "./token_form";
import type { Served } from "./types";
import { AuditView } from "./views/audit";
import { ClusterView } from "./views/cluster";
import { IndexClusters, ResultClusters } from "./views/clusters";
import { CompareView } from "./views/compare";
import { DecisionsView } from "./views/decisions";
import { IndexClusterView } from "./views/index_cluster";
import { IndexOverview } from "./views/index_overview";
import { LikeView } from "./views/like";
import { ResultOverview } from "./views/overview";

const kPoll = 1000;

/** Finds out what is served; an index has no result. */
async function servedBy(api: Api): Promise<Served> {
  try {
    return { mode: "result", info: await api.result() };
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return { mode: "index", stats: await api.stats() };
  }
}

export function App() {
  const [request, setRequest] = useState<TokenRequest | null>(null);
  const [api] = useState(() => {
    const askToken: AskToken = (refused) =>
      new Promise((done) => {
        setRequest({
          refused,
          give: (token) => {
            setRequest(null);
            done(token);
          },
        });
      });
    return new Api(askToken);
  });
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const [loaded, retry] = useLoaded(() => servedBy(api), []);
  useFocusOnArrival(route, main);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address names the view, so the link must not change it.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Masthead route={route} served={loaded.value ?? null} />
      <main id="main" tabIndex={-1} ref={main}>
        {request !== null && (
          <TokenForm request={request} alone={loaded.state !== "ready"} />
        )}
        {loaded.state === "failed" && <Failed error={loaded.error} retry={retry} />}
        {loaded.state === "loading" && request === null && <Loading what="what is served" />}
        {loaded.state === "ready" && <Content api={api} first={loaded.value} route={route} />}
      </main>
      <Announcements />
    </>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = () => setRoute(parseRoute(location.hash));
    window.addEventListener("hashchange", update);
    return () => window.removeEventListener("hashchange", update);
  }, []);
  return route;
}

/** Another place in the address is a new view: its heading is read. A changed search is not. */
function useFocusOnArrival(route: Route, main: { current: HTMLElement | null }): void {
  const searches = ["clusters", "like", "audit"].includes(route.view);
  const place = searches ? route.view : linkTo(route);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    window.scrollTo(0, 0);
    return focusHeading(main.current);
  }, [place]);
}

const kPatience = 3000;

// The heading of some views only comes with their data.
function focusHeading(main: HTMLElement | null): () => void {
  const focus = () => {
    const heading = main?.querySelector<HTMLElement>("h1");
    if (heading === null || heading === undefined) return false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    return true;
  };
  if (main === null || focus()) return () => undefined;
  const observer = new MutationObserver(() => {
    if (focus()) observer.disconnect();
  });
  observer.observe(main, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), kPatience);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  useTitle("");
  return (
    <section>
      <h1>Nothing to show</h1>
      <ErrorNotice error={error} retry={retry} />
    </section>
  );
}

interface ContentProps {
  api: Api;
  first: Served;
  route: Route;
}

function Content({ api, first, route }: ContentProps) {
  const [served, setServed] = useState(first);
  const refresh = () => {
    // A view that failed says so by itself; the figures of before do until the next time.
    servedBy(api).then(setServed, () => undefined);
  };
  const reading = served.mode === "result" && served.info.texts.state === "reading";
  useEffect(() => {
    if (!reading) return;
    const timer = setInterval(refresh, kPoll);
    return () => clearInterval(timer);
  }, [reading]);
  return (
    <AppContext.Provider value={{ api, served, refresh }}>
      <View served={served} route={route} />
    </AppContext.Provider>
  );
}

function View({ served, route }: { served: Served; route: Route }) {
  const info = served.mode === "result" ? served.info : null;
  switch (route.view) {
    case "overview":
      return served.mode === "result" ? (
        <ResultOverview info={served.info} />
      ) : (
        <IndexOverview stats={served.stats} />
      );
    case "like":
      return <LikeView id={route.id} />;
    case "clusters":
      return info === null ? (
        <IndexClusters />
      ) : (
        <ResultClusters q={route.q} clusters={info.clusters} />
      );
    case "cluster":
      return info === null ? (
        <IndexClusterView key={route.name} name={route.name} />
      ) : (
        <ClusterView name={route.name} info={info} />
      );
    case "compare":
      return <CompareView a={route.a} b={route.b} from={route.from ?? ""} />;
    case "decisions":
      return info === null ? <Unknown /> : <DecisionsView />;
    case "audit":
      return info === null ? <Unknown /> : <AuditView kind={route.kind} />;
    default:
      return <Unknown />;
  }
}

function Unknown() {
  useTitle("No such view");
  return (
    <section>
      <h1>No such view</h1>
      <p>
        The address names no view of this page. <a href="#/">Go to the overview.</a>
      </p>
    </section>
  );
}

interface MastheadProps {
  route: Route;
  served: Served | null;
}

function Masthead({ route, served }: MastheadProps) {
  const theme = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (theme.current !== null) setUpTheme(theme.current, redrawAll);
  }, []);
  const links: [name: string, to: Route, views: Route["view"][]][] = [
    ["Overview", { view: "overview" }, ["overview"]],
    ["Clusters", { view: "clusters", q: "" }, ["clusters", "cluster"]],
    ["What is like this?", { view: "like", id: "" }, ["like"]],
    ["Compare", { view: "compare", a: "", b: "" }, ["compare"]],
  ];
  if (served?.mode === "result") {
    links.push(["Decisions", { view: "decisions" }, ["decisions"]]);
    if (served.info.audit) links.push(["Audit", { view: "audit", kind: "" }, ["audit"]]);
  }
  return (
    <header class="masthead">
      <p class="wordmark">
        <svg viewBox="0 0 40 28" width="40" height="28" aria-hidden="true" focusable="false">
          <circle class="mark-kept" cx="14" cy="14" r="12" />
          <circle class="mark-near" cx="26" cy="14" r="12" />
        </svg>
        <span>Lookalike</span> <span class="wordmark-kind">explorer</span>
      </p>
      <nav aria-label="Views">
        {links.map(([name, to, views]) => (
          <a
            key={name}
            href={linkTo(to)}
            aria-current={views.includes(route.view) ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {/* setUpTheme writes its label. */}
      <button type="button" id="theme" class="quiet" ref={theme} />
    </header>
  );
}

const kShownFor = 6000;

function Announcements() {
  const text = useAnnouncements();
  const [shown, setShown] = useState("");
  useEffect(() => {
    setShown(text);
    const timer = setTimeout(() => setShown(""), kShownFor);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div id="announcements" role="status" aria-live="polite" class={shown === "" ? "" : "shown"}>
      {text === "" ? "" : <bdi dir="auto">{text}</bdi>}
    </div>
  );
}
