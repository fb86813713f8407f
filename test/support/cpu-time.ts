// Limits of CPU time hold on any machine: what is measured is set against a fixed piece of work, done at the same time.

/** What `piece` takes on the machine for which the tests state their limits, in milliseconds. */
const pieceMs = 8;
const words = Array.from({ length: 2_000 }, (_, i) => `word ${(i * 7919) % 2_000}`);

/** Work of the kinds that servers do: maps, sorting, JSON and texts. */
function piece(): void {
  for (let n = 0; n < 5; n++) {
    const lengths = new Map(words.map((word, i) => [word, word.length + i]));
    const sorted = [...lengths].toSorted(([one], [other]) => (one < other ? -1 : 1));
    JSON.stringify(JSON.parse(JSON.stringify(sorted))).replaceAll(/\d+/g, "n");
  }
}

/** How many times slower this machine is now, because it is another one, or because others use its caches and cores. */
function slowness(): number {
  const times = Array.from({ length: 10 }, () => {
    const start = process.cpuUsage();
    piece();
    return plainSince(start);
  });
  return Math.max(1, Math.min(...times) / pieceMs);
}

function plainSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of CPU time since `start`, as the machine of the limits takes: unlike the clock, it stands still while others run. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  return plainSince(start) / slowness();
}

/** The minimum CPU time of a few runs, likewise. */
export function cpuTimeOf(run: () => void, tries = 3): number {
  const times = Array.from({ length: tries }, () => {
    const start = process.cpuUsage();
    run();
    return plainSince(start);
  });
  return Math.min(...times) / slowness();
}
