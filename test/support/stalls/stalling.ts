// A server that stalls on request: to test how turns are measured, and to measure the machine's speed. Prints its port.
import { work } from "./work.ts";

const computed = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

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
