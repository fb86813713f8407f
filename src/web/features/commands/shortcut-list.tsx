// The list of shortcuts.
import { formatKeys } from "../../lib/keys.ts";
import { t } from "../../lib/texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { parseHash } from "../../ui/routes/route.ts";
import css from "./commands.module.css";
import { commands } from "./table.ts";

/** Goes back to the view below, unless the person has left the list already. */
function close(): void {
  if (parseHash(location.hash)?.view === "shortcuts") history.back();
}

export function ShortcutList() {
  const groups = Map.groupBy(
    commands.filter(({ keys }) => keys !== undefined),
    ({ group }) => group,
  );
  return (
    <Dialog title={t("Keyboard shortcuts")} width="wide" onClose={close}>
      <div className={css.groups}>
        {[...groups].map(([group, list]) => (
          <section key={group}>
            <h3 className={css.group}>{group}</h3>
            <dl>
              {list.map(({ name, keys = [] }) => (
                <div key={name} className={css.keyRow}>
                  <dt>{name}</dt>
                  <dd>
                    {[...new Set(keys.map(formatKeys))].map((key) => (
                      <kbd key={key} dir="ltr">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
