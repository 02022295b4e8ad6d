// The search field with completion, as an ARIA combobox with a list box.

import { useEffect, useRef, useState } from "preact/hooks";
import { accept, complete, kExamples, type Completion, type Completions } from "./grammar";

interface Props {
  value: string;
  /** Called when the search should run: a moment after typing, or at once with Enter. */
  onSearch: (q: string) => void;
}

const kDelay = 300;
const kNothing: Completions = { from: 0, to: 0, options: [] };

export function SearchBox({ value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [offered, setOffered] = useState(kNothing);
  const [active, setActive] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const open = offered.options.length > 0;

  // The address can change by other means: a link, or the way back. What was typed meanwhile, and
  // a blank at its end, stays.
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const close = () => {
    setOffered(kNothing);
    setActive(-1);
  };
  const search = (q: string, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = q.trim();
      onSearch(sent.current);
    }, delay);
  };
  const change = (q: string, caret: number) => {
    setText(q);
    setOffered(complete(q, caret));
    setActive(-1);
    search(q, kDelay);
  };
  const take = (option: Completion) => {
    const taken = accept(text, offered, option);
    change(taken.text, taken.caret);
    const field = input.current;
    if (field === null) return;
    field.value = taken.text;
    field.focus();
    field.setSelectionRange(taken.caret, taken.caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = offered.options[active];
    const options = offered.options.length;
    if (event.key === "ArrowDown" && open) setActive((active + 1) % options);
    else if (event.key === "ArrowUp" && open) setActive(active <= 0 ? options - 1 : active - 1);
    else if (event.key === "Escape" && open) close();
    else if (event.key === "Enter" && chosen !== undefined) take(chosen);
    else if (event.key === "Enter") {
      close();
      search(text, 0);
    } else return;
    event.preventDefault();
  };

  return (
    <div class="search">
      <label for="search">Search</label>
      <div class="combobox">
        <input
          id="search"
          ref={input}
          type="text"
          role="combobox"
          aria-expanded={open}
          aria-controls="search-options"
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `search-option-${active}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder="words, id:…, sim:>.9, kind:near"
          value={text}
          onInput={({ currentTarget: field }) =>
            change(field.value, field.selectionStart ?? field.value.length)
          }
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <ul id="search-options" role="listbox" aria-label="Completions" hidden={!open}>
          {offered.options.map((option, i) => (
            <li
              key={option.insert}
              id={`search-option-${i}`}
              role="option"
              aria-selected={i === active}
              // The field must keep the focus, or the list would be gone before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              <code>{option.insert}</code> <span>{option.explains}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export function SearchHelp() {
  return (
    <details class="glossary">
      <summary>How to search</summary>
      <p class="intro">
        All terms must hold. Fields are completed as you type: choose with the arrow keys and Enter.
      </p>
      <dl>
        {kExamples.flatMap(([example, meaning]) => [
          <dt key={example}>
            <code>{example}</code>
          </dt>,
          <dd key={`${example} meaning`}>{meaning}</dd>,
        ])}
      </dl>
    </details>
  );
}
