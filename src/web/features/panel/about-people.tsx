import { useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { namesOf } from "../../state/selectors.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { FactValue, factsOf, localTimeOf, roleName } from "../people/facts.tsx";
import { StatusLine } from "../people/status-line.tsx";
import css from "./panel.module.css";
import { PeopleRows } from "./people-rows.tsx";

const minute = 60_000;

/** The people of a direct conversation; a single one with their profile. */
export function AboutPeople({ userIds }: { userIds: readonly number[] }) {
  const names = useSelect((state) => namesOf(state, userIds));
  const self = useSelect((state) => state.self.user_id);
  const [only] = userIds;
  return (
    <>
      <header className={css.head}>
        <h2 className={css.title}>{names}</h2>
      </header>
      <div className={css.scroller}>
        {only !== undefined && userIds.length === 1 ? (
          <OnePerson userId={only} />
        ) : (
          <section className={css.section} aria-label={t("People in the conversation")}>
            <PeopleRows title={t("In the conversation")} ids={[self, ...userIds]} />
          </section>
        )}
      </div>
    </>
  );
}

export function OnePerson({ userId }: { userId: number }) {
  const { store } = useClient();
  const person = useSelect((state) => state.users[userId]);
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute);
    return () => clearInterval(timer);
  }, []);
  if (!person) return null;
  const time = localTimeOf(person.timezone, now, isTwentyFour);
  return (
    <section className={css.section} aria-label={t("About the person")}>
      <Avatar src={person.avatar_url ?? `/avatar/${userId}/medium`} size={96} />
      <p className={css.role}>
        {person.is_active ? roleName(person) : t("Deactivated")}
        {time === "" ? "" : ` · ${time}`}
      </p>
      <StatusLine userId={userId} />
      <dl className={css.facts}>
        {factsOf(store.get(), person).map((fact) => (
          <div key={fact.name} className={css.fact}>
            <dt>{fact.name}</dt>
            <dd>
              <FactValue {...fact} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
