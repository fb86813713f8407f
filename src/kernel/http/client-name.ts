const maxLength = 30;

/** Wire: zulip-terminal 0.7.0, the newest that is published, ends where fields are missing that no other client reads. */
export function expectsOldFields(client: string): boolean {
  return client === "ZulipTerminal";
}

/** The product name in a User-Agent: the text before the first slash. */
export function clientName(userAgent = ""): string {
  if (userAgent !== last.userAgent) last = { userAgent, name: nameIn(userAgent) };
  return last.name;
}

/** Many requests in a row come from the same program. */
let last = { userAgent: "", name: nameIn("") };

function nameIn(userAgent: string): string {
  const slash = userAgent.indexOf("/");
  const name = (slash < 0 ? userAgent : userAgent.slice(0, slash)).trim();
  return name === "" ? "Unspecified" : name.slice(0, maxLength);
}
