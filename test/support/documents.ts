// Checks --json output against the shape that help and docs/reference/command-line.md promise.
import type { Command } from "@cli/command.ts";
import { allCommands } from "@cli/loaders.ts";
import { pluralOf } from "@cli/nouns.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import { z } from "zod";

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) },
});
const validators = new Map<string, ValidateFunction>();
const commands = await allCommands();

/** The command that arguments name; its noun may be singular or plural. */
export function commandOf(args: readonly string[]): Command | undefined {
  const [first, second] = args;
  const isNamed = ({ name }: Command) => {
    const [noun = "", verb] = name.split(" ");
    return (first === noun || first === pluralOf(noun)) && (verb === undefined || verb === second);
  };
  const named = commands.filter(isNamed);
  return named.find(({ name }) => name.includes(" ")) ?? named[0];
}

export function checkDocument(args: readonly string[], document: unknown): void {
  const command = commandOf(args);
  if (!command?.result) throw new Error(`confab ${args.join(" ")} promises no document`);
  const known = validators.get(command.name);
  const isValid = known ?? ajv.compile(z.toJSONSchema(command.result, { io: "output" }));
  validators.set(command.name, isValid);
  if (isValid(document)) return;
  const faults = isValid.errors?.map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
  throw new Error(`confab ${command.name} --json: ${faults?.join("; ")} in ${JSON.stringify(document)}`);
}
