// Filters a list by a person, and by what they have to do with its rows.
import { X } from "lucide-react";
import { useSelect } from "../api/client.ts";
import { t } from "../lib/texts.ts";
import { IconButton } from "./button.tsx";
import { type FieldChoice, Select } from "./field.tsx";
import { PeoplePicker } from "./people-picker.tsx";
import css from "./person-filter.module.css";

interface PersonFilterProps<Part extends string> {
  person: number | null;
  part: Part;
  parts: readonly FieldChoice<Part>[];
  onChange: (to: { person: number | null } | { part: Part }) => void;
}

const nobody: ReadonlySet<number> = new Set();

export function PersonFilter<Part extends string>({
  person,
  part,
  parts,
  onChange,
}: PersonFilterProps<Part>) {
  const name = useSelect(({ users }) => (person === null ? undefined : users[person]?.full_name));
  if (person === null)
    return <PeoplePicker label={t("Person")} without={nobody} onPick={(to) => onChange({ person: to })} />;
  return (
    <div className={css.person}>
      <Select
        label={name ?? t("Somebody")}
        value={part}
        choices={parts}
        onChange={(to) => onChange({ part: to })}
      />
      <IconButton icon={X} label={t("All people")} onClick={() => onChange({ person: null })} />
    </div>
  );
}
