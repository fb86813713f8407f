import { useMemo } from "react";
import { useSelect } from "../../api/client.ts";
import css from "./panel.module.css";
import { PeopleRows } from "./people-rows.tsx";

/** The people of the organization. */
export function Everyone() {
  const users = useSelect((state) => state.users);
  const ids = useMemo(
    () =>
      Object.values(users)
        .filter(({ is_active, is_bot }) => is_active && !is_bot)
        .map(({ user_id }) => user_id),
    [users],
  );
  return (
    <>
      <header className={css.head}>
        <h2 className={css.title}>People</h2>
      </header>
      <div className={css.scroller}>
        <section className={css.section} aria-label="Everyone">
          <PeopleRows title="Everyone" ids={ids} />
        </section>
      </div>
    </>
  );
}
