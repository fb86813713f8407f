// A real mail server for tests: refuses recipients on request, and keeps the mails that it accepts.
import { SMTPServer } from "smtp-server";

export interface Taken {
  from: string;
  to: string;
  text: string;
}

export interface MailServer {
  url: string;
  taken: Taken[];
  /** Its answers to the next recipients, such as "450 busy"; it accepts those after them. */
  refusals: string[];
  /** How many clients have connected. */
  connections: number;
  close(): void;
}

export function startMailServer(): Promise<MailServer> {
  const server: MailServer = {
    url: "",
    taken: [],
    refusals: [],
    connections: 0,
    close: () => listener.close(),
  };
  const listener = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onConnect(_session, done) {
      server.connections++;
      done();
    },
    onRcptTo(_address, _session, done) {
      const refusal = server.refusals.shift();
      done(refusal === undefined ? null : refused(refusal));
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address).join(", ");
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        server.taken.push({ from, to, text: Buffer.concat(chunks).toString().replaceAll("\r\n", "\n") });
        done();
      });
    },
  });
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.server.address();
      server.url = `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      resolve(server);
    });
  });
}

function refused(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
