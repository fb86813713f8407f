// The client's frame while its state is on the way: what is already known, and grey in place of the rest.
import type { Boot } from "@/outside/web/schema.ts";
import { classes } from "../lib/classes.ts";
import { t } from "../lib/texts.ts";
import css from "./waiting.module.css";

const sidebarRows = Array.from({ length: 12 }, (_, row) => row);
const viewRows = Array.from({ length: 9 }, (_, row) => row);

export function Waiting({ boot }: { boot: Boot }) {
  // On a phone the sidebar comes first, unless the URL names a view.
  const isSidebar = location.hash === "" || location.hash === "#";
  return (
    <div className={classes(css.frame, isSidebar && css.sidebarFirst)}>
      <div className={css.sidebar} aria-hidden="true">
        <div className={css.head}>
          <img className={css.icon} src={boot.realm_icon} alt="" width={28} height={28} />
          <p className={css.realm}>{boot.realm_name}</p>
        </div>
        <span className={css.search} />
        {sidebarRows.map((row) => (
          <span key={row} className={css.row} />
        ))}
      </div>
      <main className={css.view} aria-busy="true">
        <p className="visually-hidden">{t("Opening {organization}", { organization: boot.realm_name })}</p>
        <div className={css.viewHead} />
        <div className={css.list}>
          {viewRows.map((row) => (
            <span key={row} className={css.place} />
          ))}
        </div>
      </main>
    </div>
  );
}
