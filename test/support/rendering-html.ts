// What rendered HTML may consist of, checked by a reader stricter than any browser.
const attributes: Record<string, string[]> = {
  a: ["class", "data-stream-id", "href", "title"],
  div: ["class", "data-code-language"],
  ol: ["start"],
  span: ["class", "data-user-id", "data-user-group-id", "aria-label", "role", "title"],
  td: ["style"],
  th: ["style"],
};
const bare = "p br em strong del code pre ul li blockquote h1 h2 h3 h4 h5 h6 hr table thead tbody tr".split(
  " ",
);
const allowed = new Set([...bare, ...Object.keys(attributes)]);
const empty = new Set(["br", "hr"]);
const schemes = new Set(
  (
    "http https bitcoin ftp ftps geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr " +
    "sftp sip sms smsto ssh tel urn webcal wtai xmpp"
  ).split(" "),
);

/** The first thing in the HTML that does not belong there, or null. */
export function foreignPart(html: string): string | null {
  const open: string[] = [];
  const text = html.replace(/<(\/?)([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)>/g, (whole, slash, tag, list) => {
    const expected = slash ? open.pop() === tag && list === "" : allowed.has(tag);
    if (!slash && !empty.has(tag)) open.push(tag);
    return expected && attributesBelong(tag, list) ? "" : `<${whole}`;
  });
  if (open.length > 0) return `unclosed ${open}`;
  return /[<>"].{0,80}|&(?!(amp|lt|gt|quot);).{0,9}/s.exec(text)?.[0] ?? null;
}

function attributesBelong(tag: string, list: string): boolean {
  return [...list.matchAll(/ ([a-z-]+)="([^"]*)"/g)].every(([, name = "", value = ""]) => {
    if (!attributes[tag]?.includes(name)) return false;
    if (name === "style") return /^text-align: (left|right|center);$/.test(value);
    return name !== "href" || isSafeTarget(value);
  });
}

// A browser drops tabs and line ends, and takes what stands before the first colon for the scheme.
function isSafeTarget(href: string): boolean {
  if (/[\p{Cc} ]/u.test(href)) return false;
  if (/^(#|\/(?!\/))/.test(href)) return true;
  return schemes.has(/^([^/?#:]*):/.exec(href)?.[1]?.toLowerCase() ?? "");
}
