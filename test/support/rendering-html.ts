// The allowed HTML of rendered messages, checked by a parser that is stricter than browsers.
const attributes: Record<string, string[]> = {
  a: ["class", "data-id", "data-stream-id", "href", "style", "title"],
  audio: ["controls", "preload", "src", "title"],
  div: ["aria-hidden", "class", "data-code-language"],
  img: [
    "alt",
    "class",
    "data-original-content-type",
    "data-original-dimensions",
    "data-original-src",
    "src",
    "title",
  ],
  ol: ["start"],
  span: [
    "class",
    "data-user-id",
    "data-user-group-id",
    "aria-hidden",
    "aria-label",
    "role",
    "style",
    "title",
  ],
  td: ["style"],
  th: ["style"],
  time: ["datetime"],
  video: ["preload", "src"],
};
const mathAttributes = (
  "style width height depth voffset lspace rspace minsize maxsize viewBox preserveAspectRatio d x1 x2 y1 y2 " +
  "stroke-width mathvariant mathcolor mathbackground stretchy fence separator movablelimits rowspacing " +
  "columnspacing columnalign columnlines rowlines displaystyle xmlns linebreak display encoding accent " +
  "accentunder linethickness scriptlevel notation"
).split(" ");
for (const tag of (
  "math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac mroot msqrt mover munder " +
  "munderover mtable mtr mtd mstyle menclose mpadded mphantom merror svg path line"
).split(" ")) {
  attributes[tag] = mathAttributes;
}
const bare = "p br em strong del code pre ul li blockquote h1 h2 h3 h4 h5 h6 hr table thead tbody tr".split(
  " ",
);
const allowed = new Set([...bare, ...Object.keys(attributes)]);
const empty = new Set(["br", "hr", "img"]);
const schemes = new Set(
  (
    "http https bitcoin ftp ftps geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr " +
    "sftp sip sms smsto ssh tel urn webcal wtai xmpp"
  ).split(" "),
);

/** The first part of the HTML that is not allowed, or null. */
export function foreignPart(html: string): string | null {
  const open: string[] = [];
  const text = html.replace(
    /<(\/?)([a-z0-9]+)((?: [a-zA-Z\d-]+(?:="[^"<>]*")?)*)(\/?)>/g,
    (whole, slash, tag, list, closed) => {
      const expected = slash ? open.pop() === tag && list === "" : allowed.has(tag);
      if (!slash && !closed && !empty.has(tag)) open.push(tag);
      return expected && attributesBelong(tag, list) ? "" : `<${whole}`;
    },
  );
  if (open.length > 0) return `unclosed ${open}`;
  return /[<>"].{0,80}|&(?!(amp|lt|gt|quot|#x27);).{0,9}/s.exec(text)?.[0] ?? null;
}

function attributesBelong(tag: string, list: string): boolean {
  return [...list.matchAll(/ ([a-zA-Z\d-]+)(?:="([^"]*)")?/g)].every(([, name = "", value]) => {
    if (!attributes[tag]?.includes(name)) return false;
    if (value === undefined) return name === "controls";
    if (tag === "a" && name === "style") {
      return /^background-image: url\(&quot;\/external_content\/[\w/.]+&quot;\)$/.test(value);
    }
    if (name === "style") return /^(?:text-align: (left|right|center);|([a-z-]+:[\w.# -]+;)+)$/.test(value);
    if (name === "src") return /^(?:https?:|\/(?!\/))/i.test(value) && isSafeTarget(value);
    return name !== "href" || isSafeTarget(value);
  });
}

// Browsers drop tabs and line breaks, and take everything before the first colon as the scheme.
function isSafeTarget(href: string): boolean {
  if (/[\p{Cc} ]/u.test(href)) return false;
  if (/^(#|\/(?!\/))/.test(href)) return true;
  return schemes.has(/^([^/?#:]*):/.exec(href)?.[1]?.toLowerCase() ?? "");
}
