// A command that no person types: a console next to a node has the leader make each of its changes by it.
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { changeCommand } from "@/operations/command-line/schema.ts";
import { option } from "../args.ts";
import { type Command, command } from "../command.ts";
import { fileSent, inputSent } from "../prompts.ts";

export const consoleChange: Command = command({
  name: changeCommand,
  summary: "Make a change of a console at another node",
  examples: [],
  args: { change: option("NAME", z.string().max(60), "the name of the change") },
  result: z.unknown(),
  isHere: true,
  async run(ctx, { change }) {
    const { makeChange } = await import("@console/changes.ts");
    return makeChange(ctx, { title: change, given: parseInput(inputSent("input")), picture });
  },
  print: () => "",
});

function parseInput(json: string | null): unknown {
  try {
    return JSON.parse(json ?? "");
  } catch {
    return fail("INVALID_JSON", "The arguments of the change are not valid JSON.");
  }
}

function picture(): { path: string; name: string; size: number } {
  const sent = fileSent() ?? fail("BAD_REQUEST", "The picture is missing.");
  return { ...sent, name: "picture" };
}
