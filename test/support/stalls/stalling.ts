// A server that stalls when asked to, for the test of the probe. Prints its port.
const computed = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const server = Bun.serve({
  port: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const ms = Number(searchParams.get("ms"));
    const end = computed() + ms;
    if (pathname === "/compute") while (computed() < end);
    if (pathname === "/sleep") Bun.sleepSync(ms);
    return Response.json({});
  },
});
console.log(server.port);
