// Who may do something, in words: the same in the console and for commands.
import { systemGroups } from "./schema.ts";

const roleWords: Readonly<Record<string, string>> = {
  "role:internet": "anyone on the Internet",
  "role:everyone": "everyone, guests too",
  "role:fullmembers": "full members",
};

const wordOf = (group: string) => roleWords[group] ?? group.replace(/^role:/, "");

/** Groups and addresses, separated by commas, to read: "administrators" for "role:administrators". */
export function whoText(who: string): string {
  return who.split(/, */).map(wordOf).join(", ");
}

/** The words for roles, from the widest to the narrowest. */
export const roleNames: readonly string[] = systemGroups.map(({ name }) => wordOf(name));

/** The system group that a word means; null if it is none. */
export function groupOfWord(word: string): string | null {
  const said = word.trim().toLowerCase();
  return (
    systemGroups.find(({ name }) => wordOf(name).toLowerCase() === said || name === `role:${said}`)?.name ??
    null
  );
}

/** The names and addresses in a text, separated by commas. */
export function whoIn(text: string): string[] {
  const commas = Object.entries(roleWords).filter(([, word]) => word.includes(","));
  const whole = commas.reduce(
    (said, [group, word]) => said.replace(new RegExp(`(^|,)\\s*${word}\\s*(?=,|$)`, "gi"), `$1${group}`),
    text,
  );
  return whole
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
