// Encodes requests as clients do: strings as they are, everything else as JSON; for GET in the query, otherwise in a form.

/** The result of JSON.parse: tests read answers without types. */
export type Json = ReturnType<typeof JSON.parse>;
export type Params = Record<string, unknown>;
export type Method = "GET" | "POST" | "PATCH" | "DELETE" | "PUT";

/** Parameters as text; leaves out undefined ones. */
export function encode(params: Params): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form.toString();
}

export function requestOf(
  url: string,
  method: Method,
  sent: { params?: Params; headers: Record<string, string> },
): Request {
  const text = encode(sent.params ?? {});
  const headers = new Headers(sent.headers);
  if (method === "GET") return new Request(text === "" ? url : `${url}?${text}`, { headers });
  headers.set("content-type", "application/x-www-form-urlencoded");
  headers.set("content-length", String(Buffer.byteLength(text)));
  return new Request(url, { method, headers, body: text });
}

export function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
}
