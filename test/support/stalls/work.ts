// A fixed amount of work, to measure the machine's speed.
const people = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `Person ${id}`,
  email: `p${id}@example.com`,
  roles: [id, id + 1],
}));

/** A fixed amount of a server's typical work: objects, text and memory. On a machine of 2026 at 2.6 GHz, it takes 50 ms. */
export function work(): void {
  const seen = new Map<string, number>();
  for (let round = 0; round < 250; round++) {
    const read: typeof people = JSON.parse(JSON.stringify(people));
    for (const { email, id } of read) seen.set(email + round, id);
    if (round % 8 === 0) seen.clear();
  }
}

/** What it takes on that machine. */
export const workMs = 50;
