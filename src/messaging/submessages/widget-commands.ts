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
