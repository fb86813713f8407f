// Computes polls and task lists from people's changes. Skips invalid changes, which other clients may have sent.
import type { Submessage } from "@/messaging/messages/schema.ts";
import { t } from "../../lib/texts.ts";

export interface PollOption {
  /** "canned,0" for an initial one; "9,1" for the first one that user 9 added. */
  key: string;
  text: string;
  voters: readonly number[];
}

export interface PollState {
  kind: "poll";
  question: string;
  options: readonly PollOption[];
}

export interface WidgetTask {
  key: string;
  task: string;
  note: string;
  isDone: boolean;
}

export interface TasksState {
  kind: "tasks";
  title: string;
  tasks: readonly WidgetTask[];
}

interface WidgetChange {
  type?: string;
  key?: string | number;
  vote?: number;
  option?: string;
  idx?: number;
  question?: string;
  task?: string;
  desc?: string;
  completed?: boolean;
  title?: string;
}

/** Null if the message is no widget, or one of a kind that this client does not know. */
export function widgetOf(
  submessages: readonly Submessage[],
  authorId: number,
): PollState | TasksState | null {
  const [first, ...later] = submessages.toSorted((a, b) => a.id - b.id);
  const start = parseJson<{ widget_type?: string; extra_data?: Beginning }>(first?.content);
  const data = start?.extra_data ?? {};
  const changes = later.flatMap(({ content, sender_id }) => {
    const change = parseJson<WidgetChange>(content);
    return change ? [{ change, sender: sender_id }] : [];
  });
  if (start?.widget_type === "poll") return pollOf(data, changes, authorId);
  if (start?.widget_type === "todo") return tasksOf(data, changes, authorId);
  return null;
}

interface Beginning {
  question?: string;
  options?: string[];
  task_list_title?: string;
  tasks?: { task: string; desc: string }[];
}

interface SenderChange {
  change: WidgetChange;
  sender: number;
}

function pollOf(data: Beginning, changes: readonly SenderChange[], authorId: number): PollState {
  let question = data.question ?? "";
  const options = new Map<string, { text: string; voters: Set<number> }>();
  const add = (key: string, text: string) => {
    const isTaken = [...options.values()].some((option) => option.text === text);
    if (text !== "" && !options.has(key) && !isTaken) options.set(key, { text, voters: new Set() });
  };
  (data.options ?? []).forEach((text, at) => {
    add(`canned,${at}`, text);
  });
  for (const { change, sender } of changes) {
    if (change.type === "new_option") add(`${sender},${change.idx}`, change.option ?? "");
    else if (change.type === "question" && sender === authorId) question = change.question ?? question;
    else if (change.type === "vote") {
      const voters = options.get(String(change.key))?.voters;
      if (change.vote === 1) voters?.add(sender);
      else voters?.delete(sender);
    }
  }
  return {
    kind: "poll",
    question,
    options: [...options].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] })),
  };
}

function tasksOf(data: Beginning, changes: readonly SenderChange[], authorId: number): TasksState {
  let title = data.task_list_title || t("List of tasks");
  const tasks = new Map<string, WidgetTask>();
  (data.tasks ?? []).forEach(({ task, desc }, at) => {
    const key = `canned,${at}`;
    tasks.set(key, { key, task, note: desc, isDone: false });
  });
  for (const { change, sender } of changes) {
    const key = change.type === "new_task" ? `${sender},${change.key}` : String(change.key);
    const known = tasks.get(key);
    if (change.type === "new_task" && !known && change.task) {
      tasks.set(key, { key, task: change.task, note: change.desc ?? "", isDone: change.completed === true });
    } else if (change.type === "strike" && known) tasks.set(key, { ...known, isDone: !known.isDone });
    else if (change.type === "new_task_list_title" && sender === authorId) title = change.title || title;
  }
  return { kind: "tasks", title, tasks: [...tasks.values()] };
}

/** The number that this person's next option or task gets. */
export function nextIndex(keys: readonly string[], userId: number): number {
  const own = keys.filter((key) => key.startsWith(`${userId},`)).map((key) => Number(key.split(",")[1]));
  return Math.max(0, ...own) + 1;
}

function parseJson<T>(text: string | undefined): T | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return typeof value === "object" && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
