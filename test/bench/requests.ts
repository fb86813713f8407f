// The requests that the generator sends, built once, and their texts.
export type Account = { email: string; apiKey: string };

const words = (
  "the server keeps every message on disk before it answers and people read them in channels with topics " +
  "deploy build failed again please look at log from yesterday release candidate lunch meeting moved to friday " +
  "customer reports slow search after upgrade database index backup restored thanks great work ship it"
).split(" ");

/** 120 bytes, different for each `i`, as people write: mostly words, now and then a bit of Markdown. */
export function messageText(i: number): string {
  let seed = (i + 1) * 2654435761;
  const next = () => {
    seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return seed;
  };
  const marks: Record<number, string> = {
    0: "**now** ",
    1: "`confab serve` ",
    2: "see https://example.com/a ",
  };
  let text = `${marks[i % 10] ?? ""}n${i} `;
  while (text.length < 120) text += `${words[next() % words.length]} `;
  return text.slice(0, 119).replaceAll(/ $/g, "e").concat(".");
}

export function get(path: string, account: Account, headers: Record<string, string> = {}): string {
  return `GET /api/v1${path} HTTP/1.1\r\n${commonHeaders(account)}${linesOf(headers)}\r\n`;
}

export function post(
  path: string,
  account: Account,
  params: Record<string, string>,
  headers: Record<string, string> = {},
): string {
  const form = new URLSearchParams(params).toString();
  return (
    `POST /api/v1${path} HTTP/1.1\r\n${commonHeaders(account)}${linesOf(headers)}` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`
  );
}

function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

export function send(
  account: Account,
  channel: number,
  content: string,
  headers: Record<string, string> = {},
): string {
  return post(
    "/messages",
    account,
    { type: "stream", to: String(channel), topic: "bench", content },
    headers,
  );
}

export function register(account: Account, types: readonly string[] = ["message"]): string {
  return post("/register", account, {
    event_types: JSON.stringify(types),
    fetch_event_types: '["message"]',
    apply_markdown: "false",
  });
}

export function poll(account: Account, queueId: string, lastEventId: number): string {
  return get(`/events?queue_id=${encodeURIComponent(queueId)}&last_event_id=${lastEventId}`, account);
}

function commonHeaders({ email, apiKey }: Account): string {
  const credentials = Buffer.from(`${email}:${apiKey}`).toString("base64");
  return `Host: 127.0.0.1\r\nAuthorization: Basic ${credentials}\r\nUser-Agent: ConfabBench/1.0\r\n`;
}
