import { type ClientRequest, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { checkLiteral, lookupWithin, type Reach } from "./reach.ts";
import { calling } from "./schema.ts";

export interface Posted {
  url: string;
  type: string;
  body: string;
}

export interface Received {
  status: number;
  text: string;
}

/** Posts to an allowed address. Follows no redirects, and gives up after a timeout or on too long a response. */
export function post({ url, type, body }: Posted, reach: Reach): Promise<Received> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    checkLiteral(target.hostname, reach);
    const headers = {
      "content-type": type,
      "content-length": Buffer.byteLength(body),
      "user-agent": "Confab-Webhook/1",
    };
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
