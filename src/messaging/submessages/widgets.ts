// Which submessages are valid for the widgets that this server knows.
import { z } from "zod";

const text = z.string();

/** How a widget begins. Kinds that are not listed are their clients' own business. */
const beginnings = {
  poll: z.looseObject({ question: text.optional(), options: z.array(text).optional() }),
  todo: z.looseObject({
    task_list_title: text.optional(),
    tasks: z.array(z.looseObject({ task: text, desc: text })).optional(),
  }),
};
export type WidgetKind = keyof typeof beginnings;

interface Deed {
  shape: z.ZodType;
  /** Nobody but who made the widget may do it. */
  byAuthor?: true;
}

const deeds: Record<WidgetKind, Record<string, Deed>> = {
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

/** The kind that the first submessage names; null for one we do not know. */
export function kindOf(first: unknown): WidgetKind | null {
  const { data } = opening.safeParse(first);
  return data && Object.hasOwn(beginnings, data.widget_type) ? (data.widget_type as WidgetKind) : null;
}

/** What is wrong with a first submessage; null where nothing is. */
export function problemOfBeginning(first: unknown): string | null {
  const kind = kindOf(first);
  if (kind === null) return null;
  const { extra_data } = opening.parse(first);
  return beginnings[kind].safeParse(extra_data ?? {}).success ? null : `This is no way to begin a ${kind}.`;
}

/** What is wrong with a later submessage of a widget of that kind; null where nothing is. */
export function problemOfDeed(kind: WidgetKind, deed: unknown, isAuthor: boolean): string | null {
  const { data } = z.looseObject({ type: text }).safeParse(deed);
  const known = data && Object.hasOwn(deeds[kind], data.type) ? deeds[kind][data.type] : undefined;
  if (!known?.shape.safeParse(deed).success) return `This is nothing that can be done to a ${kind}.`;
  return known.byAuthor && !isAuthor ? `Only who made this ${kind} can change its title.` : null;
}
