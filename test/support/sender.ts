// A separate process that sends messages one after another, and prints the ID of each acknowledged one.
const [site = "", authorization = "", channel = "", senders = "64"] = process.argv.slice(2);

async function sendOn(sender: number): Promise<void> {
  for (let n = 0; ; n++) {
    const content = `sender ${sender} message ${n}`;
    const body = new URLSearchParams({ type: "channel", to: channel, topic: "crash", content });
    try {
      const response = await fetch(`${site}/api/v1/messages`, {
        method: "POST",
        headers: { authorization },
        body,
      });
      const answer = (await response.json()) as { id?: number };
      if (answer.id !== undefined) process.stdout.write(`${answer.id} ${content}\n`);
    } catch {
      return;
    }
  }
}

await Promise.all(Array.from({ length: Number(senders) }, (_, sender) => sendOn(sender)));
