// A keep-alive HTTP/1.1 client that costs almost nothing, so that the generator does not affect the measurement.
import type { Socket } from "bun";

export type Answer = { status: number; head: string; body: Buffer; at: number };
export type Connection = { request(bytes: string): Promise<Answer>; close(): void };

type State = {
  parts: Buffer[];
  have: number;
  need: number | "chunked" | null;
  settle: ((answer: Answer) => void) | null;
  fail: ((error: Error) => void) | null;
};

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

export async function connect(port: number): Promise<Connection> {
  const state: State = { parts: [], have: 0, need: null, settle: null, fail: null };
  const socket = await Bun.connect<State>({ hostname: "127.0.0.1", port, data: state, socket: listener });
  return {
    request: (bytes) =>
      new Promise((settle, fail) => {
        state.settle = settle;
        state.fail = fail;
        if (socket.write(bytes) !== bytes.length) refuse(state, "The connection is closed or full.");
      }),
    close() {
      state.settle = null;
      state.fail = null;
      socket.end();
    },
  };
}

const listener = {
  data: (socket: Socket<State>, piece: Buffer) => receive(socket.data, piece),
  close: (socket: Socket<State>) => refuse(socket.data, "The server closed the connection."),
  error: (socket: Socket<State>, error: Error) => refuse(socket.data, error.message),
};

function receive(state: State, piece: Buffer): void {
  state.parts.push(piece);
  state.have += piece.length;
  if (state.need === null) state.need = neededBytes(joined(state));
  if (state.need === null) return;
  if (state.need === "chunked" ? !endsChunks(state, piece) : state.have < state.need) return;
  const settle = state.settle;
  const answer = read(joined(state), state.need === "chunked");
  Object.assign(state, { parts: [], have: 0, need: null, settle: null, fail: null });
  settle?.(answer);
}

function endsChunks(state: State, piece: Buffer): boolean {
  const bytes = piece.length < lastChunk.length ? joined(state) : piece;
  return bytes.subarray(-lastChunk.length).equals(lastChunk);
}

function joined(state: State): Buffer {
  if (state.parts.length > 1) state.parts = [Buffer.concat(state.parts)];
  return state.parts[0] ?? Buffer.alloc(0);
}

function neededBytes(bytes: Buffer): number | "chunked" | null {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return end + 4 + Number(length);
  return /\r\ntransfer-encoding: *chunked/i.test(head) ? "chunked" : end + 4;
}

function read(bytes: Buffer, isChunked: boolean): Answer {
  const end = bytes.indexOf(headEnd);
  const body = bytes.subarray(end + 4);
  return {
    status: Number(bytes.toString("latin1", 9, 12)),
    head: bytes.toString("latin1", 0, end),
    body: isChunked ? withoutChunks(body) : body,
    at: performance.now(),
  };
}

function withoutChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

function refuse(state: State, why: string): void {
  state.fail?.(new Error(why));
  state.fail = null;
  state.settle = null;
}
