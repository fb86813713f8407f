// What ':' finds by name: screens, whatever their rows are, and what can be done.
import { AppError } from "@/kernel/lib/errors.ts";
import type { Screen } from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import { keyName } from "./keys.ts";
import { capital } from "./many.ts";
import {
  type ControllerState,
  type Find,
  type Inside,
  listTargetRows,
  nameOfRow,
  screenOf,
} from "./state.ts";

const maxShown = 50;

/** Everything that can be found now; what the operator may not read is left out. */
export function allFinds({ session, state, servers }: Inside): Find[] {
  return [
    ...state.screens.map(
      ({ title, about, key }): Find => ({
        noun: "screen",
        name: title,
        about: `${about} (${key})`,
        to: { to: title },
      }),
    ),
    ...ofRow(state),
    ...state.screens.flatMap(ofScreen),
    ...ofConsole,
    ...servers.map(
      ({ name, about }): Find => ({ noun: "server", name: `server ${name}`, about, server: name }),
    ),
    ...state.screens.flatMap((screen) => rowsOf(session, screen)),
  ];
}

const ofConsole: readonly Find[] = [
  { noun: "command", name: "Help", about: "all keys of this screen", keys: ["?"] },
  { noun: "command", name: "Filter", about: "the rows of this screen", keys: ["/"] },
  { noun: "command", name: "Sort", about: "by the next column", keys: ["o"] },
  { noun: "command", name: "Quit", about: "leaves the console", keys: ["ctrl+c"] },
];

function ofRow(state: ControllerState): Find[] {
  const [row] = listTargetRows(state);
  const screen = screenOf(state);
  if (row === undefined) return [];
  return (screen.rowActions ?? []).flatMap(({ key, title }): Find[] => {
    const name = title(row);
    return name === null
      ? []
      : [
          {
            noun: "command",
            name: capital(name),
            about: `${nameOfRow(screen, row)} (${keyName(key)})`,
            keys: [key],
          },
        ];
  });
}

function ofScreen({ title, create, actions = [] }: Screen): Find[] {
  const to = { to: title };
  return [
    ...(create ? [{ noun: "command", name: capital(create.title), about: title, to, keys: ["n"] }] : []),
    ...actions.map(({ key, title: name }) => ({
      noun: "command",
      name: capital(name),
      about: title,
      to,
      keys: [key],
    })),
  ];
}

function rowsOf(session: ScreenSession, screen: Screen): Find[] {
  const { noun, title, columns } = screen;
  if (noun === undefined) return [];
  try {
    return screen.rows(session, null).map((row) => {
      const name = nameOfRow(screen, row);
      const others = columns.slice(1).map(({ value }) => value(row));
      return {
        noun,
        name,
        about: others.find((text) => text !== name) ?? "",
        to: { to: title, select: screen.id(row), opens: true },
      };
    });
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** The finds that fit the text, best first. */
export function findsFor(all: readonly Find[], text: string): Find[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return all.slice(0, maxShown);
  return all
    .map((find, i) => ({ find, rank: rankOf(find, wanted), i }))
    .filter(({ rank }) => rank < worst)
    .sort((a, b) => a.rank - b.rank || a.i - b.i)
    .slice(0, maxShown)
    .map(({ find }) => find);
}

const worst = 9;

function rankOf({ name, about, noun }: Find, wanted: string): number {
  const text = name.toLowerCase();
  if (text === wanted) return 0;
  if (text.startsWith(wanted)) return 1;
  if (text.includes(` ${wanted}`)) return 2;
  if (text.includes(wanted)) return 3;
  const whole = `${text} ${about.toLowerCase()} ${noun}`;
  if (wanted.split(/\s+/).every((word) => whole.includes(word))) return 4;
  return isWithin(wanted, text) ? 5 : worst;
}

/** Whether the letters come in the text in this order. */
function isWithin(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
