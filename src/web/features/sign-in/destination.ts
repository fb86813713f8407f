// Where somebody wanted to go before they had to sign in: the fragment of the address. Pages of providers and those that work
// without scripts lose it, so this tab keeps it until the client is open.

const key = "destination";

/** Keeps the fragment that the sign-in page was opened with, if any. */
export function keepDestination(): void {
  if (location.hash !== "") sessionStorage.setItem(key, location.hash);
}

/** Opens the client in the place of the sign-in page. */
export function openClientPage(): void {
  // At this address, a link to the client would only change the fragment, and load nothing.
  if (location.pathname === "/") location.reload();
  else location.replace(`/${location.hash}`);
}

/** Gives the client's address the fragment that was kept, unless it has one. */
export function restoreDestination(): void {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (kept !== null && location.hash === "") history.replaceState(history.state, "", kept);
}
