// The parent's side of load.ts: a typed call per job.
import type { Jobs } from "./load.ts";
import { patience, within } from "./patience.ts";
import { type Piped, script, startPiped, stop } from "./processes.ts";

type JobOf<N extends keyof Jobs> = Parameters<Jobs[N]>[1];
type ResultOf<N extends keyof Jobs> = Awaited<ReturnType<Jobs[N]>>;
type Line = { result: unknown } | { error: string } | { failure: string };

export type Generator = {
  run<N extends keyof Jobs>(name: N, job: JobOf<N>): Promise<ResultOf<N>>;
  stop(): Promise<void>;
};

export function startGenerator(port: number, serverPid: number): Generator {
  const child = startPiped(script("load.ts", port, serverPid));
  const lines = linesOf(child);
  return {
    async run<N extends keyof Jobs>(name: N, job: JobOf<N>): Promise<ResultOf<N>> {
      child.stdin.write(`${JSON.stringify({ name, job })}\n`);
      child.stdin.flush();
      const { value: line } = await within(6 * patience, lines.next(), `the load generator (${name})`);
      if (line && "result" in line) return line.result as ResultOf<N>;
      throw new Error(line ? Object.values(line).join() : "The load generator ended.");
    },
    stop: () => stop(child),
  };
}

async function* linesOf(child: Piped): AsyncGenerator<Line, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of child.stdout) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Line;
  }
  return undefined;
}
