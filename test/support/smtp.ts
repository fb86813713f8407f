// A mail server of the test's own: says what it is told to, and keeps what it took.
import { createServer, type Socket } from "node:net";

export interface Taken {
  from: string;
  to: string;
  text: string;
}

export interface MailServer {
  url: string;
  taken: Taken[];
  /** What it answers to the next recipients; without any it takes them. */
  refusals: string[];
  /** How many have connected. */
  connections: number;
  close(): void;
}

export function startMailServer(): Promise<MailServer> {
  return new Promise((resolve) => {
    const listener = createServer((socket) => {
      server.connections++;
      converse(socket, server);
    });
    const server: MailServer = {
      url: "",
      taken: [],
      refusals: [],
      connections: 0,
      close: () => void listener.close(),
    };
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      server.url = `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      resolve(server);
    });
  });
}

function converse(socket: Socket, server: MailServer): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail: Taken = { from: "", to: "", text: "" };
  let inText = false;
  let buffered = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    buffered += chunk.toString();
    for (let end = buffered.indexOf("\r\n"); end >= 0; end = buffered.indexOf("\r\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      if (inText && line === ".") {
        inText = false;
        server.taken.push(mail);
        mail = { from: "", to: "", text: "" };
        say("250 taken");
      } else if (inText) mail.text += `${line.replace(/^\./, "")}\n`;
      else inText = answer(line);
    }
  });
  const between = (line: string) => /<(.*)>/.exec(line)?.[1] ?? "";
  const answer = (line: string): boolean => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "MAIL") mail.from = between(line);
    if (verb === "RCPT") {
      const refusal = server.refusals.shift();
      if (refusal) return say(refusal) && false;
      mail.to = between(line);
    }
    if (verb === "DATA") say("354 go on");
    else if (verb === "QUIT") socket.end("221 bye\r\n");
    else say(verb === "EHLO" ? "250 test" : "250 ok");
    return verb === "DATA";
  };
  say("220 test");
}
