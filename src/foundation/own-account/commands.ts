// Commands such as /dark that clients send to the server: each changes settings of the actor.

import { allow } from "@/foundation/permissions/access.ts";
import type { PersonalChanges } from "@/foundation/user-settings/schema.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { updateOwnSettings } from "./actions.ts";

interface Command {
  readonly settings: PersonalChanges;
  /** What the client then shows. */
  readonly said: string;
}

const dark: Command = { settings: { color_scheme: 2 }, said: "The dark theme is on." };

const light: Command = { settings: { color_scheme: 3 }, said: "The light theme is on." };

const commands = new Map<string, Command>([
  ["/ping", { settings: {}, said: "" }],
  ["/light", light],
  ["/day", light],
  ["/dark", dark],
  ["/night", dark],
  [
    "/fluid-width",
    { settings: { fluid_layout_width: true }, said: "The whole width of the window is used." },
  ],
  ["/fixed-width", { settings: { fluid_layout_width: false }, said: "The width is limited." }],
]);

/** Runs a command; returns the text to show. */
export const runCommand = action(allow.user, (tx, text: string): string => {
  const name = text.trim();
  if (!name.startsWith("/")) fail("BAD_REQUEST", "A command begins with a slash, such as /dark.");
  const command = commands.get(name);
  if (!command)
    fail(
      "BAD_REQUEST",
      sentence("There is no such command. The commands are {commands}.", {
        commands: [...commands.keys()].join(", "),
      }),
    );

  updateOwnSettings.in(tx, { settings: command.settings });
  return command.said;
});
