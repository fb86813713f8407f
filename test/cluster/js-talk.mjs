// A person at the unmodified npm client, as a Node process: `node js-talk.mjs '{"config": …, "partner": ID, "name": "mel"}'`. Sends a numbered
// message to the partner every moment and prints, as lines of JSON, what it has sent and heard, until its input ends. Uses
// Node, because Bun's `fetch` does not support the form objects of this client.
import zulip from "zulip-js";

const { config, partner, name } = JSON.parse(process.argv[2]);
const client = await zulip(config);
const print = (line) => console.error(JSON.stringify(line));
let isOver = false;
process.stdin.resume().on("end", () => {
  isOver = true;
});

// The client itself prints what goes wrong while it waits for events.
console.log = (...words) => print({ problem: words.map(String).join(" ") });

client.callOnEachEvent(
  ({ type, message }) => {
    if (type === "message" && message.sender_id === partner)
      print({ received: message.content, id: message.id });
  },
  ["message"],
);

for (let n = 0; !isOver; n++) {
  const content = `${name} says ${n}`;
  const begin = performance.now();
  print({ sending: content });
  const answer = await client.messages
    .send({ type: "direct", to: JSON.stringify([partner]), content })
    .catch((error) => ({ result: "error", msg: String(error) }));
  const ms = performance.now() - begin;
  print(answer.result === "success" ? { sent: content, ms } : { problem: `${content}: ${answer.msg}` });
  await new Promise((resolve) => setTimeout(resolve, 100));
}
print({ over: true });
