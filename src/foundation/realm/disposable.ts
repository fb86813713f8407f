// Domains whose addresses are thrown away after a few minutes. Parsed at first use: most server processes never need it.
import list from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with {
  type: "text",
};

let domains: ReadonlySet<string> | undefined;

/** Whether a domain, or one that it lies in, gives out disposable addresses. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set<string>(JSON.parse(list as unknown as string));
  const labels = domain.split(".");
  return labels.some((_, i) => i < labels.length - 1 && domains?.has(labels.slice(i).join(".")));
}
