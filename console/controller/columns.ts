// Which columns of a screen are shown.
import { z } from "zod";
import { partsOf } from "../names.ts";
import { form, type Screen, type ScreenForm } from "../screen.ts";
import type { ScreenSession } from "../session.ts";
import { type Inside, screenOf } from "./state.ts";

const keyOf = ({ title }: Screen) => `hidden columns of ${title}`;

/** The titles of the columns that are not wanted. */
export function hiddenColumns({ chosen }: ScreenSession, screen: Screen): ReadonlySet<string> {
  return new Set(partsOf(chosen.get(keyOf(screen)) ?? ""));
}

export function columnsForm({ state, session }: Inside): ScreenForm {
  const screen = screenOf(state);
  const titles = screen.columns.map(({ title }) => title).filter((title) => title !== "");
  const hidden = hiddenColumns(session, screen);
  return form({
    title: `Columns of ${screen.title.toLowerCase()}`,
    picksFirst: true,
    fields: {
      columns: {
        label: "Columns",
        about: "Those to show, where there is room.",
        rule: z.array(z.enum(titles)).min(1, "Choose at least one column."),
        read: (_, text) => partsOf(text),
        start: titles.filter((title) => !hidden.has(title)).join(", "),
        picks: () => titles.map((name) => ({ noun: "column", name, about: "", text: name })),
      },
    },
    async submit(_, { columns }) {
      const left = titles.filter((title) => !columns.includes(title));
      session.chosen.set(keyOf(screen), left.join(", "));
      return { message: left.length === 0 ? "All columns are shown." : `Hidden: ${left.join(", ")}.` };
    },
  });
}
