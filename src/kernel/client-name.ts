const maxLength = 30;

/** The product name in a User-Agent: the text before the first slash. */
export function clientName(userAgent = ""): string {
  const slash = userAgent.indexOf("/");
  const name = (slash < 0 ? userAgent : userAgent.slice(0, slash)).trim();
  return name === "" ? "Unspecified" : name.slice(0, maxLength);
}
