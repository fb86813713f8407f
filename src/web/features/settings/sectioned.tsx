import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "./settings.module.css";

export interface SettingsSection {
  id: string;
  title: string;
  icon: LucideIcon;
  isWide?: boolean;
  show: () => ReactNode;
}

interface SectionedProps {
  title: string;
  sections: readonly SettingsSection[];
  /** The page that the URL names; by default the first. */
  chosen: string | undefined;
  linkTo: (id: string) => string;
}

/** In narrow windows the list is a row that scrolls. */
function scrollToLink(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** A view of several pages, with a list of the pages next to it. */
export function Sectioned({ title, sections, chosen, linkTo }: SectionedProps) {
  const current = sections.find(({ id }) => id === chosen) ?? sections[0];
  return (
    <>
      <ViewHead title={title} />
      <div className={css.page}>
        <nav className={css.sections} aria-label={title}>
          <ul>
            {sections.map(({ id, title: name, icon: Icon }) => (
              <li key={id}>
                <a
                  href={linkTo(id)}
                  aria-current={id === current?.id ? "page" : undefined}
                  ref={id === current?.id ? scrollToLink : undefined}
                >
                  <Icon size={16} strokeWidth={1.5} aria-hidden="true" />
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <section className={css.content} aria-label={current?.title}>
          <div key={current?.id} className={classes(css.inner, current?.isWide && css.wide)}>
            {current?.show()}
          </div>
        </section>
      </div>
    </>
  );
}
