// A real mail server for tests; refuses recipients if told to, and keeps the mails that it accepts.
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

export interface Taken {
  from: string;
  to: string;
  /** The mail as sent, with "\n" as line breaks. */
  raw: string;
  /** The mail as a mail program reads it. */
  mail: ParsedMail;
  isEncrypted: boolean;
  /** The user name that it was sent with. */
  login: string | null;
}

export interface MailServer {
  url: string;
  taken: Taken[];
  /** Answers for the next recipients, such as "450 busy"; later recipients are accepted. */
  refusals: string[];
  /** The number of connections so far. */
  connections: number;
  close(): void;
}

interface MailServerOptions {
  /** Requires STARTTLS and this login. */
  login?: { user: string; password: string };
}

export function startMailServer({ login }: MailServerOptions = {}): Promise<MailServer> {
  const server: MailServer = {
    url: "",
    taken: [],
    refusals: [],
    connections: 0,
    close: () => listener.close(),
  };
  const listener = new SMTPServer({
    ...(login
      ? { authMethods: ["PLAIN", "LOGIN"], allowInsecureAuth: false }
      : { authOptional: true, hideSTARTTLS: true }),
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password;
      done(isRight ? null : new Error("Wrong user name or password"), { user: username });
    },
    onConnect(_session, done) {
      server.connections++;
      done();
    },
    onRcptTo(_address, _session, done) {
      const refusal = server.refusals.shift();
      done(refusal === undefined ? null : refused(refusal));
    },
    onData(stream, { envelope, secure, user }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address).join(", ");
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const bytes = Buffer.concat(chunks);
        const raw = bytes.toString().replaceAll("\r\n", "\n");
        const mail = await simpleParser(bytes);
        server.taken.push({ from, to, raw, mail, isEncrypted: secure, login: user ? String(user) : null });
        done();
      });
    },
  });
  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const address = listener.server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const credentials = login ? `${login.user}:${login.password}@` : "";
      // smtp-server comes with a self-signed certificate.
      const trust = login ? "?requireTLS=true&tls.rejectUnauthorized=false" : "";
      server.url = `smtp://${credentials}127.0.0.1:${port}${trust}`;
      resolve(server);
    });
  });
}

function refused(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
