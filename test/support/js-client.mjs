// A Node process that runs the unmodified npm client: reads calls, one JSON line each, and writes their answers.
// `{ file_at: path }` among the arguments is an open file.
// Uses Node, because Bun's `fetch` does not support the form objects of this client.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import zulip from "zulip-js";

const client = await zulip(JSON.parse(process.argv[2]));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, args } = JSON.parse(line, (_, value) =>
    value?.file_at ? createReadStream(value.file_at) : value,
  );
  const called = method.split(".").reduce((at, name) => at[name], client);
  called(...args).then(
    (answer) => console.log(JSON.stringify({ id, answer })),
    (error) => console.log(JSON.stringify({ id, error: String(error) })),
  );
}
