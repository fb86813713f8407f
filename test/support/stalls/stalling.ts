// A server that stalls on request: to test how turns are measured, and to measure the machine's speed. Prints its port.
const computed = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const people = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `Person ${id}`,
  email: `p${id}@example.com`,
  roles: [id, id + 1],
}));

/** A fixed amount of a server's typical work: objects, text and memory. On a machine of 2026 at 2.6 GHz, it takes 50 ms. */
function work(): void {
  const seen = new Map<string, number>();
  for (let round = 0; round < 250; round++) {
    const read: typeof people = JSON.parse(JSON.stringify(people));
    for (const { email, id } of read) seen.set(email + round, id);
    if (round % 8 === 0) seen.clear();
  }
}
for (let i = 0; i < 4; i++) work();

const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const ms = Number(searchParams.get("ms"));
    const compute = () => {
      for (const end = computed() + ms; computed() < end; );
    };
    if (pathname === "/compute") compute();
    if (pathname === "/sleep") Bun.sleepSync(ms);
    if (pathname === "/work") work();
    if (pathname === "/turns") {
      for (let turn = 0; turn < 10; turn++) {
        compute();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    if (pathname === "/late") setImmediate(compute);
    return Response.json({});
  },
});
console.log(server.port);
