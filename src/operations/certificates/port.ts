// Port 80 of a server that gets its certificate by itself: answers the authority, and leads everybody else to HTTPS.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { framePage, pageAnswer } from "@/foundation/pages/frame.ts";
import { organizationLanguage } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { html } from "@/kernel/http/html.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { acceptedLanguage, translatorFor } from "@/text/language/tables.ts";
import { certificateSettings, challengePath, type Trouble } from "./schema.ts";

export interface PortOptions {
  host: string;
  port: number;
  /** The public address, to which requests are redirected. */
  site: string;
  /** Whether there is a certificate to which browsers can be led. */
  hasCertificate: () => boolean;
  /** Whether the question may come from another node, whose entry in the log this one gets a moment later. */
  isNode: boolean;
  log: Log;
}

export interface ChallengePort {
  /** Listens unless it does already; says what keeps it from that. */
  open(): Promise<Trouble | null>;
  close(): void;
}

const patienceMs = 10_000;
const maxConnections = 500;
/** How long a node waits for what the leader has written before it asked the authority to look here. */
const arrivalMs = 3_000;
const lookMs = 50;

export function challengePort(reads: Reads, options: PortOptions): ChallengePort {
  const { host, port } = options;
  let listening: Promise<Server> | null = null;
  const forget = () => {
    listening = null;
  };
  return {
    async open() {
      listening ??= listen(reads, options, forget);
      try {
        await listening;
        return null;
      } catch (error) {
        forget();
        return troubleAt(error as NodeJS.ErrnoException, host, port);
      }
    },
    close() {
      listening?.then(
        (server) => {
          server.close();
          server.closeAllConnections();
        },
        () => {},
      );
    },
  };
}

function listen(reads: Reads, options: PortOptions, onClose: () => void): Promise<Server> {
  const { host, port, log } = options;
  return new Promise((resolve, reject) => {
    const server = createServer({ maxHeaderSize: 16_384 }, (incoming, outgoing) => {
      incoming.resume();
      outgoing.setHeader("connection", "close");
      // Not caught, an error would end the server.
      answer(reads, options, incoming, outgoing).catch((error) => {
        log.error("certificate", { error: `A request at port ${port} failed: ${error}` });
        if (!outgoing.headersSent) outgoing.writeHead(500);
        outgoing.end();
      });
    });
    server.setTimeout(patienceMs);
    server.headersTimeout = patienceMs;
    server.requestTimeout = patienceMs;
    server.maxConnections = maxConnections;
    // Also for errors once it listens: without a listener, they would end the server.
    server.on("error", reject);
    server.listen(port, host, () => resolve(server.once("close", onClose)));
  });
}

function troubleAt({ code = "", message }: NodeJS.ErrnoException, host: string, port: number): Trouble {
  if (code === "EADDRINUSE")
    return {
      reason: `Another program on this machine uses port ${port}, where the authority must be answered.`,
      remedy: "Stop that program, such as a web server, and disable it: 'ss -ltnp' names it.",
    };
  if (code === "EACCES")
    return {
      reason: `The server may not use port ${port}, where the authority must be answered.`,
      remedy: "Start it with CAP_NET_BIND_SERVICE, as the released confab.service does.",
    };
  return {
    reason: `The server cannot listen on port ${port} of ${host}, where the authority must be answered: ${message}.`,
    remedy: "Check the settings host and http_port.",
  };
}

async function answer(
  reads: Reads,
  options: PortOptions,
  { url = "/", method = "", headers }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const path = url.split("?", 1)[0] as string;
  if (path.startsWith(challengePath)) {
    const token = path.slice(challengePath.length);
    const found = method === "GET" ? await answerAbout(reads, token, options.isNode ? arrivalMs : 0) : null;
    const type = { "content-type": "text/plain" };
    return void (found === null
      ? outgoing.writeHead(404, type).end("There is no such challenge.\n")
      : outgoing.writeHead(200, { "content-type": "application/octet-stream" }).end(found));
  }
  if (!options.hasCertificate()) {
    sayUnready(reads, headers["accept-language"], outgoing);
    return;
  }
  const { origin } = new URL(options.site);
  // Parsed, it has no characters that a header may not have.
  const { pathname, search } = new URL(origin + (url.startsWith("/") ? url : "/"));
  outgoing.writeHead(308, { location: origin + pathname + search, "content-length": "0" }).end();
}

async function answerAbout(reads: Reads, token: string, ms: number): Promise<string | null> {
  for (const end = performance.now() + ms; ; await Bun.sleep(lookMs)) {
    const { challenge } = certificateSettings.read(reads);
    if (challenge?.token === token) return challenge.answer;
    if (performance.now() >= end) return null;
  }
}

/** A browser that is led to a certificate which nobody trusts would only be frightened. */
function sayUnready(reads: Reads, languages: string | undefined, outgoing: ServerResponse): void {
  const translator = translatorFor(acceptedLanguage(languages) ?? organizationLanguage(reads));
  const { t } = translator;
  const organization = realmSettings.read(reads).name;
  const title = t("{organization} is getting ready", { organization });
  const page = framePage({ translator, title }, [
    html`<h1>${title}</h1>`,
    html`<p class="lead">${t("The server has no certificate for safe connections yet. Please try again in a few minutes.")}</p>`,
    html`<p class="hint">${t("If this is your server: 'confab doctor' and the server's log say what is missing.")}</p>`,
  ]);
  const answered = pageAnswer(page, { status: 503, headers: { "retry-after": "60" } });
  outgoing.writeHead(answered.status, answered.headers).end(page.text);
}
