/** What clients make a widget of; it is the content of the message's first submessage. */
export type Widget =
  | { widget_type: "poll"; extra_data: { question: string; options: string[] } }
  | { widget_type: "todo"; extra_data: { task_list_title: string; tasks: { task: string; desc: string }[] } };

/** The poll or the task list that a message asks for: `/poll` or `/todo`, a title, and an item a line. */
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
