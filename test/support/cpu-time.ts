/** Milliseconds of CPU time since `start`: unlike the clock, it stands still while other processes have the core. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least CPU time in milliseconds that a few runs take. */
export function cpuTimeOf(run: () => void, tries = 3): number {
  const times = Array.from({ length: tries }, () => {
    const start = process.cpuUsage();
    run();
    return cpuSince(start);
  });
  return Math.min(...times);
}
