// Domains of disposable addresses. Parsed on first use: most server processes never need the list.
import list from "disposable-email-domains-js/dist/dict/disposable_email_blocklist.json" with {
  type: "text",
};

let domains: ReadonlySet<string> | undefined;

/** True if a domain, or a parent of it, offers disposable addresses. */
export function isDisposable(domain: string): boolean {
  domains ??= new Set<string>(JSON.parse(list as unknown as string));
  const labels = domain.split(".");
  return labels.some((_, i) => i < labels.length - 1 && domains?.has(labels.slice(i).join(".")));
}
