import { render } from "preact";
import { App } from "./app";
import "../../report/src/style.css";
import "./style.css";

const root = document.getElementById("app");
if (root === null) throw new Error("expected an element #app in the page");
root.replaceChildren();
render(<App />, root);
