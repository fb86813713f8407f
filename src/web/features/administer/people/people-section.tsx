import { UserX } from "lucide-react";
import { useSelect } from "../../../api/client.ts";
import { t } from "../../../lib/texts.ts";
import { NotFound } from "../../../ui/not-found.tsx";
import type { SectionProps } from "../../settings/sectioned.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PersonPage } from "./person-page.tsx";

/** Everybody in a table; `#organization/people/7` is one of them. */
export function PeopleSection({ path: [id] }: SectionProps) {
  const person = useSelect((state) => (id === undefined ? undefined : state.users[Number(id)]));
  if (id === undefined) return <PeopleTable />;
  if (!person)
    return (
      <NotFound
        icon={UserX}
        title={t("This person cannot be shown")}
        text={t("There is no such person, or you may not see them.")}
      />
    );
  return <PersonPage key={person.user_id} person={person} />;
}
