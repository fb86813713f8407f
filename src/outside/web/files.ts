// Serves the files of the web client, which .ci/web.mjs has made.
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { failInEnglish } from "@/kernel/lib/errors.ts";

type Web = typeof import("#web")["default"];

let loaded: Promise<Web | null> | null = null;

/** The built client; throws if it has not been built. */
export async function loadClient(): Promise<Web> {
  loaded ??= import("#web").then(
    (made) => made.default,
    () => null,
  );
  return (
    (await loaded) ??
    failInEnglish("SERVER_NOT_READY", "The web client has not been built: start the server with `npm start`.")
  );
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  ttf: "font/ttf",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
};

const encodings = ["br", "zstd", "gzip"] as const;
const forever = "public, max-age=31536000, immutable";

/** A file of the client. Its name contains its hash, so browsers may cache it forever. */
export async function clientFile(name: string, request: RequestFacts): Promise<RawAnswer> {
  return answerFile(name, request, { "cache-control": forever });
}

/** The service worker. Its URL never changes, so browsers must revalidate it. */
export async function serviceWorker(request: RequestFacts): Promise<RawAnswer> {
  const { serviceWorker: name } = await loadClient();
  const etag = `"${name}"`;
  const policy = "default-src 'none'; connect-src 'self'; img-src 'self'";
  const headers = { "cache-control": "no-cache", etag, "content-security-policy": policy };
  if (request.header("if-none-match") === etag) return new RawAnswer(null, headers, 304);
  return answerFile(name, request, headers);
}

async function answerFile(
  name: string,
  request: RequestFacts,
  headers: Record<string, string>,
): Promise<RawAnswer> {
  const { files } = await loadClient();
  const forms = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!forms) failInEnglish("NOT_FOUND", "There is no such file in this version of the web client.");
  const all = {
    "content-type": types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    ...headers,
  };
  if (forms.identity) return new RawAnswer(await Bun.file(forms.identity).bytes(), all);
  const accepted = listAccepted(request.header("accept-encoding"));
  const encoding = encodings.find((one) => accepted.has(one) && forms[one]);
  const bytes = await Bun.file(forms[encoding ?? "gzip"] ?? "").bytes();
  const varied = { ...all, vary: "accept-encoding" };
  if (!encoding) return new RawAnswer(Bun.gunzipSync(bytes), varied);
  return new RawAnswer(bytes, { ...varied, "content-encoding": encoding });
}

const maxHeaderLength = 256;

function listAccepted(header = ""): Set<string> {
  const items = header.slice(0, maxHeaderLength).toLowerCase().split(",");
  const wanted = items.filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item));
  return new Set(wanted.map((item) => (item.split(";", 1)[0] ?? "").trim()));
}
