// The standard streams of a command: those of this process or, in tests that run commands in their own process, others.
import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import type { Readable } from "node:stream";

export interface Streams {
  /** Whether standard input is a terminal, where somebody can be asked. */
  isTerminal(): boolean;
  input(): Readable;
  inputText(): Promise<string>;
  write(text: string): Promise<unknown>;
  writeNow(text: string): void;
  writeError(text: string): void;
}

const standard: Streams = {
  isTerminal: () => process.stdin.isTTY === true,
  input: () => process.stdin,
  inputText: () => Bun.stdin.text(),
  write: (text) => Bun.write(Bun.stdout, text),
  writeNow: (text) => void writeSync(1, text),
  writeError: (text) => void writeSync(2, text),
};

const given = new AsyncLocalStorage<Streams>();

export function withStreams<R>(streams: Streams, work: () => Promise<R>): Promise<R> {
  return given.run(streams, work);
}

export function streams(): Streams {
  return given.getStore() ?? standard;
}
