/** Milliseconds of CPU time since `start`: unlike the clock, it stands still while other processes use the core. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The minimum CPU time of a few runs, in milliseconds. */
export function cpuTimeOf(run: () => void, tries = 3): number {
  const times = Array.from({ length: tries }, () => {
    const start = process.cpuUsage();
    run();
    return cpuSince(start);
  });
  return Math.min(...times);
}
