// Light or dark: the reader's system decides until the button is pressed.

type Scheme = "light" | "dark";

const kStored = "lookalike-theme";

/** Runs `redraw` whenever the colours in force change, printing (always light) included. */
export function setUpTheme(button: HTMLButtonElement, redraw: (printing: boolean) => void): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = stored();

  const apply = () => {
    const scheme = chosen ?? (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = scheme;
    button.textContent = scheme === "dark" ? "Light colours" : "Dark colours";
    redraw(false);
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    store(chosen);
    apply();
  });
  system.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    redraw(true);
  });
  window.addEventListener("afterprint", apply);
  apply();
}

// Storage is refused to some file: pages; the choice then lasts as long as the page.
function stored(): Scheme | null {
  try {
    const value = localStorage.getItem(kStored);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function store(scheme: Scheme): void {
  try {
    localStorage.setItem(kStored, scheme);
  } catch {
    return;
  }
}
