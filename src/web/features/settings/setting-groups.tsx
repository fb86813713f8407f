import { type Client, useClient, useSelect } from "../../api/client.ts";
import { Select, Switch } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./settings.module.css";
import type { Group, Row } from "./table.ts";

/** Changes personal settings at once, and restores them if the server refuses. */
async function changeSetting({ api, store }: Client, name: string, value: unknown): Promise<void> {
  const before = store.get().user_settings[name];
  const apply = (to: unknown) =>
    store.apply({ type: "user_settings", op: "update", property: name, value: to } as never);
  apply(value);
  try {
    await api.patch("/settings", { [name]: value });
  } catch (error) {
    apply(before);
    showFailure(error);
  }
}

export function SettingGroups({ groups }: { groups: readonly Group[] }) {
  return groups.map(({ title, rows }) => (
    <section key={title} className={css.group}>
      <h2 className={css.groupTitle}>{title}</h2>
      {rows.map((row) => (
        <SettingRow key={row.name} row={row} />
      ))}
    </section>
  ));
}

function SettingRow({ row }: { row: Row }) {
  const client = useClient();
  const value = useSelect((state) => state.user_settings[row.name]);
  const change = (next: unknown) => void changeSetting(client, row.name, next);
  if (row.kind === "switch") {
    return <Switch label={row.label} hint={row.hint} checked={value === true} onChange={change} />;
  }
  const isListed = row.choices.some((choice) => choice.value === value);
  const own = isListed ? [] : [{ value: value as string | number, label: String(value) }];
  return (
    <Select
      label={row.label}
      hint={row.hint}
      value={value as string | number}
      choices={[...row.choices, ...own]}
      onChange={change}
    />
  );
}
