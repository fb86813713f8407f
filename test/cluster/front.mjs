// A proxy in front of the nodes, as the guide has operators run one: `node front.mjs '{"nodes": [URL, …]}'`. Keeps connections to the
// nodes open, sends each client to the same node while that is well, and asks each at /health. A request that no node has begun
// goes to another one. Prints its port. A program of Node, because Bun's client does not say whether a connection was used before.
import { Agent, createServer, request } from "node:http";

const { nodes } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const healthMs = 1_000;
const tryMs = 10_000;
const well = new Map(nodes.map((url) => [url, true]));

setInterval(() => {
  for (const url of nodes) {
    const asked = request(`${url}/health`, { timeout: healthMs }, (answer) => {
      well.set(url, answer.statusCode === 200);
      answer.resume();
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => well.set(url, false));
    asked.end();
  }
}, healthMs);

/** The node of a client, or the next one that is well and was not tried. */
function nodeOf(client, tried) {
  const order = nodes.map((_, at) => nodes[(client + at) % nodes.length]);
  const left = order.filter((url) => !tried.has(url));
  return left.find((url) => well.get(url)) ?? left[0];
}

const server = createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const body = Buffer.concat(parts);
  const client = Number(incoming.headers["x-client"] ?? 0);
  const until = performance.now() + tryMs;
  let tried = new Set();
  const attempt = () => {
    const url = nodeOf(client, tried);
    const { method, headers } = incoming;
    const { connection: _, ...passed } = headers;
    let isAnswered = false;
    const asked = request(`${url}${incoming.url}`, { method, headers: passed, agent }, (answer) => {
      isAnswered = true;
      const { connection: __, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode, kept);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    asked.on("error", (error) => {
      const isUnbegun = error.code === "ECONNREFUSED" || (asked.reusedSocket && error.code === "ECONNRESET");
      if (isAnswered) return;
      if (isUnbegun && performance.now() < until) {
        if (error.code === "ECONNREFUSED") {
          well.set(url, false);
          tried.add(url);
        }
        if (tried.size === nodes.length) tried = new Set();
        return void setTimeout(attempt, 20);
      }
      outgoing.writeHead(502).end(JSON.stringify({ result: "error", msg: `${url}: ${error.code ?? error}` }));
    });
    asked.end(body);
  };
  attempt();
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
