import { type ClientRequest, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { checkLiteral, lookupWithin, reachOf } from "./reach.ts";
import { calling, isListed, networkList } from "./schema.ts";

export interface Posted {
  url: string;
  body: string | Uint8Array;
  headers: Record<string, string>;
}

export interface WebhookAnswer {
  status: number;
  text: string;
}

/** Posts to an allowed address. Follows no redirects, and gives up after a timeout or on too long a response. */
export function post(reads: Reads, { url, body, headers: given }: Posted): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const [target, reach] = [new URL(url), reachOf(reads)];
    checkLiteral(target.hostname, reach);
    const headers = { ...given, "content-length": Buffer.byteLength(body) };
    const options = { method: "POST", headers, agent: false as const, lookup: lookupWithin(reach) };
    const send = target.protocol === "https:" ? secure : plain;
    const sent: ClientRequest = send(target, options as Parameters<typeof send>[1], (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    const seconds = calling.timeoutMs / 1000;
    const timer = setTimeout(() => {
      reject(new Error(`it did not answer within ${seconds} seconds`));
      sent.destroy();
    }, calling.timeoutMs);
    // Does not keep a stopping server alive: the call is still in its table.
    timer.unref();
    sent.on("socket", (socket) => socket.unref());
    sent.on("error", reject);
    sent.on("close", () => clearTimeout(timer));
    sent.end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > calling.maxReplyBytes) {
      answer.destroy();
      throw new Error("its response is too long");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Whether the operator has opened an address of the server's own network, where TLS may be missing. */
export function isOpened(reads: Reads, hostname: string): boolean {
  const networks = networkList(serverOptions.read(reads).webhook_networks);
  return networks !== null && isListed(networks, hostname.replaceAll(/[[\]]/g, ""));
}
