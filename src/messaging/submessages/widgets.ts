// The widgets that this server knows: the messages that begin one, and what their submessages may be.

import { z } from "zod";
import type { KnownText } from "@/kernel/lib/errors.ts";

const text = z.string();

/** The first submessage of each kind of widget. Other kinds are not validated. */
const beginnings = {
  poll: z.looseObject({ question: text.optional(), options: z.array(text).optional() }),
  todo: z.looseObject({
    task_list_title: text.optional(),
    tasks: z.array(z.looseObject({ task: text, desc: text })).optional(),
  }),
};
export type WidgetKind = keyof typeof beginnings;

interface WidgetChange {
  shape: z.ZodType;
  /** Only the widget's author may do it. */
  byAuthor?: true;
}

const changesByKind: Record<WidgetKind, Record<string, WidgetChange>> = {
  poll: {
    vote: { shape: z.strictObject({ type: text, key: text, vote: z.literal([1, -1]) }) },
    new_option: { shape: z.strictObject({ type: text, option: text, idx: z.int() }) },
    question: { shape: z.strictObject({ type: text, question: text }), byAuthor: true },
  },
  todo: {
    new_task: {
      shape: z.strictObject({ type: text, key: z.int(), task: text, desc: text, completed: z.boolean() }),
    },
    strike: { shape: z.strictObject({ type: text, key: text }) },
    new_task_list_title: { shape: z.strictObject({ type: text, title: text }), byAuthor: true },
  },
};

const opening = z.looseObject({ widget_type: z.string(), extra_data: z.unknown() });

/** The kind that the first submessage names; null if it is unknown. */
export function kindOf(first: unknown): WidgetKind | null {
  const { data } = opening.safeParse(first);
  return data && Object.hasOwn(beginnings, data.widget_type) ? (data.widget_type as WidgetKind) : null;
}

/** What is wrong with a first submessage, or null. */
export function problemOfBeginning(first: unknown): KnownText | null {
  const kind = kindOf(first);
  if (kind === null) return null;
  const { extra_data } = opening.parse(first);
  return beginnings[kind].safeParse(extra_data ?? {}).success
    ? null
    : `This is not a valid start of a ${kind}.`;
}

/** What is wrong with a later submessage of a widget of that kind, or null. */
export function problemOfChange(kind: WidgetKind, change: unknown, isAuthor: boolean): KnownText | null {
  const { data } = z.looseObject({ type: text }).safeParse(change);
  const known =
    data && Object.hasOwn(changesByKind[kind], data.type) ? changesByKind[kind][data.type] : undefined;
  if (!known?.shape.safeParse(change).success) return `This is not a valid change of a ${kind}.`;
  return known.byAuthor && !isAuthor ? `Only the sender of this ${kind} can change its title.` : null;
}

/** A widget that clients draw, stored as the message's first submessage. */
export type Widget =
  | { widget_type: "poll"; extra_data: { question: string; options: string[] } }
  | { widget_type: "todo"; extra_data: { task_list_title: string; tasks: { task: string; desc: string }[] } };

/** Parses `/poll` or `/todo`, a title, and one item per line; null if the message is neither. */
export function widgetOf(content: string): Widget | null {
  const [, kind, rest = ""] = /^\/(poll|todo)(?=\s|$)(.*)$/s.exec(content) ?? [];
  if (kind === undefined) return null;
  const [title = "", ...lines] = rest.split(/\r\n|[\n\r]/).map((line) => line.trim());
  const items = lines.map((line) => line.replace(/^[-*]?\s*/, "")).filter((item) => item !== "");
  if (kind === "poll") return { widget_type: "poll", extra_data: { question: title, options: items } };
  return { widget_type: "todo", extra_data: { task_list_title: title, tasks: items.map(taskOf) } };
}

function taskOf(item: string): { task: string; desc: string } {
  const colon = item.indexOf(": ");
  if (colon < 0) return { task: item, desc: "" };
  return { task: item.slice(0, colon).trim(), desc: item.slice(colon + 2).trim() };
}
