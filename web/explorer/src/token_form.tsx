// Asks for the token of a server that is not open to everybody.

import { useEffect, useRef, useState } from "preact/hooks";

export interface TokenRequest {
  /** The token given before was not accepted. */
  refused: boolean;
  give: (token: string) => void;
}

interface Props {
  request: TokenRequest;
  /** No view is behind it, whose heading would be the first of the page. */
  alone: boolean;
}

export function TokenForm({ request, alone }: Props) {
  const Heading = alone ? "h1" : "h2";
  const input = useRef<HTMLInputElement>(null);
  const [token, setToken] = useState("");
  useEffect(() => input.current?.focus(), [request]);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (token.trim() !== "") request.give(token.trim());
  };
  return (
    <form class="token" aria-labelledby="token-title" onSubmit={onSubmit}>
      <Heading id="token-title">Token</Heading>
      <p id="token-note">
        {request.refused
          ? "The server did not accept this token. Check it and enter it again."
          : "This server needs a token. It stays in this tab of the browser."}
      </p>
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        required
        ref={input}
        value={token}
        aria-describedby="token-note"
        aria-invalid={request.refused}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <button type="submit">Go on</button>
    </form>
  );
}
