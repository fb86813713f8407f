import type { LucideIcon } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { useStore } from "../../lib/observable.ts";
import { narrow } from "../../lib/panes.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "./settings.module.css";

/** What the page of a section in the organization's administration is given. */
export interface SectionProps {
  /** What follows the section in the address: `["7"]` in `#organization/people/7`. */
  path: readonly string[];
}

export interface SettingsSection {
  id: string;
  title: string;
  icon: LucideIcon;
  /** The heading in the list under which it stands, after others with the same one. */
  group?: string;
  /** Stands behind its title in the list. */
  Mark?: ComponentType | undefined;
  /** False for one that a link leads to, but that the list does not offer. */
  isListed?: boolean;
  /** `whole` has the whole width, and no more height than the window: for a table, which scrolls by itself. */
  width?: "normal" | "wide" | "whole";
  show: () => ReactNode;
}

interface SectionedProps {
  title: string;
  sections: readonly SettingsSection[];
  /** The section that the URL names; by default the first, or in narrow windows the list of all. */
  chosen: string | undefined;
  /** Whether the URL names a place within the section, whose list the way back leads to. */
  isWithin?: boolean;
  /** Without a section: the list of all. */
  linkTo: (id?: string) => string;
}

/** A view of several sections, with a list of them next to it; narrow windows show the list or a section. */
export function Sectioned({ title, sections, chosen, isWithin = false, linkTo }: SectionedProps) {
  const isNarrow = useStore(narrow);
  const found = sections.find(({ id }) => id === chosen);
  const current = found ?? (isNarrow && chosen === undefined ? undefined : sections[0]);
  const isList = isNarrow && !current;
  return (
    <>
      {isNarrow && current ? (
        <ViewHead title={current.title} back={linkTo(isWithin ? current.id : undefined)} />
      ) : (
        <ViewHead title={title} />
      )}
      <div className={css.page}>
        {isList || !isNarrow ? (
          <SectionList title={title} sections={sections} current={current} linkTo={linkTo} />
        ) : null}
        {current ? (
          <section
            className={classes(css.content, current.width === "whole" && css.filled)}
            aria-label={current.title}
          >
            <div key={current.id} className={classes(css.inner, css[current.width ?? "normal"])}>
              {current.show()}
            </div>
          </section>
        ) : null}
      </div>
    </>
  );
}

interface SectionListProps extends Pick<SectionedProps, "title" | "sections" | "linkTo"> {
  current: SettingsSection | undefined;
}

function SectionList({ title, sections, current, linkTo }: SectionListProps) {
  const listed = sections.filter(({ isListed = true }) => isListed);
  return (
    <nav className={css.sections} aria-label={title}>
      {[...Map.groupBy(listed, ({ group = "" }) => group)].map(([group, own]) => (
        <div key={group}>
          {group === "" ? null : <h2 className={css.sectionGroup}>{group}</h2>}
          <ul>
            {own.map(({ id, title: name, icon: Icon, Mark }) => (
              <li key={id}>
                <a href={linkTo(id)} aria-current={id === current?.id ? "page" : undefined}>
                  <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
                  {name}
                  {Mark ? <Mark /> : null}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
