// What a console elsewhere asks of a server about its screens, and what it is answered.
import { z } from "zod";
import { backs, tones } from "../layout.ts";

const rowId = z.union([z.number(), z.string().max(1_000)]);
const scope = z.object({ id: rowId, name: z.string().max(1_000), near: z.int().optional() }).nullable();
const mostChosen = 60;
const chosen = z
  .record(z.string().max(100), z.string().max(1_000))
  .refine((all) => Object.keys(all).length <= mostChosen, "Too much is chosen.");
const title = z.string().max(60);
const fieldName = z.string().max(100);
const texts = z.record(fieldName, z.string().max(100_000));

/** What `chosen` and `scope` mean on screens. */
const shown = { chosen, screen: title, scope };

/** Where a form or an action is: `create`, `edit`, or the number of an action of the screen or of its rows. */
const place = {
  ...shown,
  of: z.union([z.enum(["create", "edit"]), z.object({ screen: z.int() }), z.object({ row: z.int() })]),
  id: rowId.nullable(),
};
export type ActionPlace = z.infer<z.ZodObject<typeof place>>;

export const maxPages = 500;

export const lookRequest = z.discriminatedUnion("ask", [
  z.object({ ask: z.literal("screens") }),
  z.object({
    ask: z.literal("rows"),
    ...shown,
    /** The digests of the pages that the console has; those before `from` are not read again. */
    known: z.array(z.string().max(20)).max(maxPages),
    from: z.int().min(0).max(maxPages),
    width: z.int().min(1).max(2_000),
    height: z.int().min(1).max(2_000),
  }),
  z.object({
    ask: z.literal("details"),
    ...shown,
    id: rowId,
    /** A row that only the console has: an event that it got. */
    event: z
      .object({ at: z.int(), type: z.string().max(100), event: z.record(z.string(), z.unknown()) })
      .optional(),
  }),
  z.object({ ask: z.literal("form"), ...place }),
  z.object({ ask: z.literal("picks"), ...place, field: fieldName }),
  z.object({
    ask: z.literal("remarks"),
    ...place,
    texts,
    current: fieldName,
    checked: z.array(fieldName).max(200),
  }),
]);
export type LookRequest = z.infer<typeof lookRequest>;
export type Asked<K extends LookRequest["ask"]> = Extract<LookRequest, { ask: K }>;

const named = z.object({ change: z.string().max(60), input: z.unknown() });

export const actRequest = z.discriminatedUnion("act", [
  z.object({ act: z.literal("submit"), ...place, texts }),
  z.object({ act: z.literal("run"), ...place }),
  z.object({ act: z.literal("undo"), changes: z.array(named).max(100) }),
]);
export type ActRequest = z.infer<typeof actRequest>;

const segment = z.object({
  text: z.string(),
  tone: z.enum(tones).optional().catch("plain"),
  back: z.enum(backs).optional(),
});
const line = z.array(segment);

const jump = z.object({
  to: z.string(),
  scope: scope.optional(),
  select: rowId.optional(),
  opens: z.boolean().optional(),
  filter: z.string().optional(),
  chosen: z.record(z.string(), z.string()).optional(),
});

const column = z.object({
  title: z.string(),
  grow: z.boolean().optional(),
  spare: z.boolean().optional(),
  whole: z.boolean().optional(),
  right: z.boolean().optional(),
  most: z.number().optional(),
  flows: z.boolean().optional(),
});

const actionKind = z.enum(["form", "run"]);

const screenDescription = z.object({
  key: z.string(),
  title: z.string(),
  area: z.enum(["", "People", "Places", "Organization", "Server"]).catch(""),
  about: z.string(),
  noun: z.string().optional(),
  empty: z.string(),
  listShare: z.number().optional(),
  follows: z.boolean().optional(),
  everySeconds: z.number(),
  columns: z.array(column),
  /** What it has besides rows. */
  has: z.object({
    head: z.boolean(),
    facts: z.boolean(),
    copies: z.boolean(),
    page: z.boolean(),
    leads: z.boolean(),
    edit: z.boolean(),
  }),
  create: z.string().nullable(),
  /** Those that this person is offered, by their number on the screen. */
  rowActions: z.array(
    z.object({
      at: z.int(),
      key: z.string(),
      kind: z.union([actionKind, z.object({ opens: title })]),
      isForOne: z.boolean(),
    }),
  ),
  actions: z.array(
    z.object({
      at: z.int(),
      key: z.string(),
      title: z.string(),
      kind: actionKind,
      confirm: z.string().nullable(),
      /** Whether it is offered on the whole screen, and on one that is limited to something. */
      isFor: z.tuple([z.boolean(), z.boolean()]),
    }),
  ),
});
export type ScreenDescription = z.infer<typeof screenDescription>;

export const welcome = z.object({
  organization: z.string(),
  who: z.string(),
  /** The URL at which browsers reach the server. */
  site: z.string(),
  /** What is not offered here; null if everything of a server elsewhere is. */
  remark: z.string().nullable(),
  screens: z.array(screenDescription),
});
export type Welcome = z.infer<typeof welcome>;

/** A cell's text, or with its tone, its brief text and what it is sorted by. */
const cell = z.union([
  z.string(),
  z.tuple([
    z.string(),
    z.enum(tones).catch("plain"),
    z.string().nullable(),
    z.union([z.number(), z.string()]).nullable(),
  ]),
]);
export type RemoteCell = z.infer<typeof cell>;

/** The title and question of each action of a row, with `nameSign` for the row's name. */
const rowActs = z.array(z.tuple([z.string().nullable(), z.string().nullable()]));
export type RowActs = z.infer<typeof rowActs>;
/** U+FFFC stands for the row's name: so rows with other names share the texts of their actions. */
export const nameSign = "\ufffc";

const remoteRow = z.object({
  id: rowId,
  /** Absent if it is the first cell. */
  name: z.string().optional(),
  cells: z.array(cell),
  /** Which of the page's acts it has. */
  acts: z.int(),
  copies: z.string().optional(),
  page: z.string().optional(),
  leads: jump.optional(),
  /** Absent if it may be edited. */
  isFixed: z.literal(true).optional(),
});

const page = z.object({ at: z.int(), digest: z.string(), acts: z.array(rowActs), rows: z.array(remoteRow) });
export type RemotePage = z.infer<typeof page>;

const values = z.array(z.number().nullable());
const chart = z.object({
  title: z.string(),
  now: z.string(),
  curves: z.array(z.object({ values, tone: z.enum(tones).catch("plain") })),
  least: z.number(),
  /** The value at the full height, in words. */
  scale: z.string(),
});
const headPart = z.union([
  line,
  z.object({ charts: z.array(chart), columns: z.int(), each: z.int(), height: z.int() }),
]);
export type RemoteHeadPart = z.infer<typeof headPart>;

export const rowsAnswer = z.object({
  total: z.int(),
  /** How many pages there are. */
  count: z.int(),
  /** Those that differ from what the console has, in their order. */
  pages: z.array(page),
  /** Whether there may be more to read, and from which page on. */
  hasMore: z.boolean(),
  next: z.int(),
  head: z.array(headPart),
  /** Whether the list stands still. */
  isStopped: z.boolean(),
});
export type RowsAnswer = z.infer<typeof rowsAnswer>;

const fact = z.tuple([z.string(), z.string(), jump.nullable()]);

export const detailsAnswer = z.object({
  facts: z.array(fact),
  text: z.string(),
  picture: z.array(line),
});
export type DetailsAnswer = z.infer<typeof detailsAnswer>;

const field = z.object({
  label: z.string(),
  about: z.string(),
  start: z.string(),
  choices: z.array(z.string()).nullable(),
  secret: z.boolean(),
  isOwn: z.boolean(),
  isFile: z.boolean(),
  usual: z.string().nullable(),
  takes: z.object({ text: z.string(), most: z.number().nullable() }),
  hasPicks: z.boolean(),
});
export const formAnswer = z.object({
  title: z.string(),
  changes: z.boolean(),
  picksFirst: z.boolean(),
  fields: z.array(z.tuple([z.string(), field])),
});
export type FormAnswer = z.infer<typeof formAnswer>;

export const picksAnswer = z.object({
  picks: z.array(
    z.object({
      noun: z.string(),
      name: z.string(),
      about: z.string(),
      text: z.string(),
      isAlone: z.boolean().optional(),
    }),
  ),
});

export const remarksAnswer = z.object({
  problems: z.record(z.string(), z.string()),
  means: z.string(),
  hints: z.array(z.string()),
  differs: z.record(z.string(), z.array(line)),
  preview: z.array(line),
});
export type RemarksAnswer = z.infer<typeof remarksAnswer>;

/** What undoes an action: changes, and what is then chosen; or why it cannot be undone. */
const undo = z.object({
  changes: z.array(named),
  chosen: z.record(z.string(), z.string()),
  refusal: z.string().nullable(),
});
export type RemoteUndo = z.infer<typeof undo>;

export const outcomeAnswer = z.object({
  message: z.string(),
  secret: z.array(z.tuple([z.string(), z.string()])).nullable(),
  picture: z.array(line),
  remark: z.string().nullable(),
  undo: undo.nullable(),
  chosen: z.record(z.string(), z.string()),
});
export type OutcomeAnswer = z.infer<typeof outcomeAnswer>;
