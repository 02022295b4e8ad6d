// What every view needs of the app.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { wordsOf, type Words } from "../../report/src/measure";
import type { Api } from "./api";
import type { Served } from "./types";

export interface App {
  api: Api;
  served: Served;
  /** Asks the server again for its figures. */
  refresh: () => void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("expected a view inside of the app");
  return app;
}

/** The words of the report page for what the result was decided by. */
export function wordsFor(served: Served): Words {
  const contained = served.mode === "result" && served.info.measure === "containment";
  return wordsOf(contained ? { measure: "containment" } : {});
}
