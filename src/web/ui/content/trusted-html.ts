// The page's only Trusted Types policy. It accepts HTML from the server, which renders messages and escapes their text;
// nothing else in the client writes HTML. Pasted HTML is only read, outside of the page.

interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

let policy: Policy | undefined;

/** Marks HTML that the server rendered as safe to show. Never pass text that was put together here. */
export function trustHtml(html: string): string {
  policy ??= createPolicy();
  return policy.createHTML(html);
}

/**
 * A document of HTML from anywhere, only to be read: in it nothing runs and nothing is loaded. Never put its nodes into
 * the page.
 */
export function parseForReading(html: string): Document {
  return new DOMParser().parseFromString(trustHtml(html), "text/html");
}

/** The URL of the service worker, the only script URL in the client. */
export function trustWorkerUrl(): string {
  policy ??= createPolicy();
  return policy.createScriptURL("/service-worker.js");
}

/** Browsers without Trusted Types take the text as it is. */
function createPolicy(): Policy {
  const rules = { createHTML: (html: string) => html, createScriptURL: (url: string) => url };
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } })
    .trustedTypes;
  return factory?.createPolicy("confab", rules) ?? rules;
}
