// Ctrl+C and SIGTERM during commands that leave large unfinished files.
const signals = { SIGINT: 2, SIGTERM: 15 };

/** Runs work that is cleaned up when the process exits; a signal by itself would end the process without that. */
export async function exitingOnSignals<T>(work: () => Promise<T>): Promise<T> {
  const listeners = Object.entries(signals).map(
    ([signal, number]) => [signal, () => process.exit(128 + number)] as const,
  );
  for (const [signal, exit] of listeners) process.on(signal, exit);
  try {
    return await work();
  } finally {
    for (const [signal, exit] of listeners) process.off(signal, exit);
  }
}
