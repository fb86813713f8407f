// Files that are dropped anywhere on the view of a composer go into it.
import { FilePlus } from "lucide-react";
import { type ReactPortal, type RefObject, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../lib/texts.ts";
import { useLatest } from "../../lib/use-latest.ts";
import css from "./drop-target.module.css";
import { filesOf } from "./uploads.ts";

/** Returns what shows, while files are dragged over the view, that they can be dropped. */
export function useDropTarget(
  inside: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): ReactPortal | null {
  const [target, setTarget] = useState<Element | null>(null);
  const take = useLatest(onFiles);
  useEffect(() => {
    const view = inside.current?.closest("main");
    if (!view) return;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setTarget(view);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && view.contains(relatedTarget))) setTarget(null);
    };
    const drop = (event: DragEvent) => {
      setTarget(null);
      // A text area takes its own.
      if (event.target instanceof HTMLTextAreaElement) return;
      const files = filesOf(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files);
    };
    view.addEventListener("dragover", over);
    view.addEventListener("dragleave", leave);
    view.addEventListener("drop", drop);
    return () => {
      view.removeEventListener("dragover", over);
      view.removeEventListener("dragleave", leave);
      view.removeEventListener("drop", drop);
    };
  }, [inside, take]);
  if (!target) return null;
  return createPortal(
    <div className={css.target} data-drop-target>
      <p>
        <FilePlus size={20} strokeWidth={1.5} aria-hidden="true" />
        {t("Drop files to add them to your message")}
      </p>
    </div>,
    target,
  );
}
