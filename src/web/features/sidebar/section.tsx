// A section of the sidebar, which folds; the device remembers it.
import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { useFolded } from "../../lib/collapse.ts";
import css from "./sidebar.module.css";

interface SectionProps extends Omit<ComponentProps<"section">, "title" | "children"> {
  /** Under which it is remembered as folded. */
  id: string;
  title: string;
  /** While it is folded, after the title. */
  counts?: ReactNode;
  /** Buttons at the end of its head. */
  tools?: ReactNode;
  /** Gets whether the section is folded: what the person has open stays in sight. */
  children: (isFolded: boolean) => ReactNode;
}

export function Section({ id, title, counts, tools, children, className, ...rest }: SectionProps) {
  const [isFolded, setFolded] = useFolded(id);
  return (
    <section {...rest} className={classes(css.section, className)} aria-label={title}>
      <div className={css.sectionHead}>
        <h2 className={css.foldHead}>
          <button
            type="button"
            className={css.fold}
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
            data-row
          >
            <ChevronRight size={14} strokeWidth={1.5} aria-hidden="true" className={css.foldMark} />
            <span className={css.sectionTitle}>{title}</span>
            {isFolded ? counts : null}
          </button>
        </h2>
        {tools}
      </div>
      {children(isFolded)}
    </section>
  );
}
