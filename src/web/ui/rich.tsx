import { Fragment, type ReactNode } from "react";
import type { Part } from "@/text/language/translator.ts";

/** A text with marks: `parts("<link>Sign in</link> to read", …)`, with what each mark stands for. */
export function Rich({
  parts,
  ...marks
}: {
  parts: readonly Part[];
  [mark: string]: readonly Part[] | ((content: ReactNode) => ReactNode);
}) {
  return parts.map((part, i) => {
    // The parts of a text keep their places.
    const key = String(i);
    if (typeof part === "string") return <Fragment key={key}>{part}</Fragment>;
    const content = <Rich parts={part.parts} {...marks} />;
    const mark = marks[part.mark];
    return <Fragment key={key}>{typeof mark === "function" ? mark(content) : content}</Fragment>;
  });
}
