// Groups of channels that apps can offer to new people, who may choose them together.
import { Pencil, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import type { DefaultChannelGroup } from "@/places/default-channels/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, listNames, t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Select, TextArea, TextField } from "../../ui/field.tsx";
import css from "../organize/organize.module.css";

export function DefaultGroups() {
  const { api } = useClient();
  const all = useSelect(({ organization }) => organization.realm_default_stream_groups);
  const channels = useSelect(({ streams }) => streams);
  const [editing, setEditing] = useState<DefaultChannelGroup | "new" | null>(null);
  const [deleting, setDeleting] = useState<DefaultChannelGroup | null>(null);
  const groups = all.toSorted((a, b) => collator.compare(a.name, b.name));
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Groups of channels for new people")}</h2>
      <p className={css.quiet}>
        {t("Apps can offer these to people who join: who chooses one is subscribed to all of its channels.")}
      </p>
      <div className={css.buttons}>
        <Button icon={Plus} onClick={() => setEditing("new")}>
          {t("Add a group of channels")}
        </Button>
      </div>
      <ul className={css.list}>
        {groups.map((group) => (
          <li key={group.id} className={css.item}>
            <div className={css.itemText}>
              <p>
                <bdi>{group.name}</bdi>
              </p>
              <p className={css.quiet}>
                {group.streams.length === 0
                  ? t("No channels")
                  : listNames(
                      group.streams.map((id) => channels[id]?.name ?? t("A channel that you cannot see")),
                    )}
              </p>
            </div>
            <IconButton
              size="small"
              icon={Pencil}
              label={t("Edit {name}", { name: group.name })}
              onClick={() => setEditing(group)}
            />
            <IconButton
              size="small"
              icon={Trash2}
              label={t("Delete {name}", { name: group.name })}
              onClick={() => setDeleting(group)}
            />
          </li>
        ))}
      </ul>
      {editing ? (
        <Editing group={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
      {deleting ? (
        <Confirm
          title={t("Delete {name}?", { name: deleting.name })}
          action={t("Delete")}
          danger
          onConfirm={() => api.delete(`/default_stream_groups/${deleting.id}`)}
          onClose={() => setDeleting(null)}
        >
          <p>{t("The channels stay, and so do those who are in them.")}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

interface EditingProps {
  /** Null for a new one. */
  group: DefaultChannelGroup | null;
  onClose: () => void;
}

function Editing({ group, onClose }: EditingProps) {
  const { api, store } = useClient();
  const [name, setName] = useState(group?.name ?? "");
  const [description, setDescription] = useState(group?.description ?? "");
  const [chosen, setChosen] = useState<readonly number[]>(group?.streams ?? []);
  const save = async () => {
    const { streams } = store.get();
    const namesOf = (ids: readonly number[]) => ids.flatMap((id) => streams[id]?.name ?? []);
    const texts = { name: name.trim(), description: description.trim() };
    if (!group) {
      await api.post("/default_stream_groups/create", {
        group_name: texts.name,
        description: texts.description,
        stream_names: namesOf(chosen),
      });
      return;
    }
    const path = `/default_stream_groups/${group.id}`;
    if (texts.name !== group.name || texts.description !== group.description)
      await api.patch(path, { new_group_name: texts.name, new_description: texts.description });
    const changes = {
      remove: namesOf(group.streams.filter((id) => !chosen.includes(id))),
      add: namesOf(chosen.filter((id) => !group.streams.includes(id))),
    };
    for (const [op, stream_names] of Object.entries(changes))
      if (stream_names.length > 0) await api.patch(`${path}/streams`, { op, stream_names });
  };
  return (
    <Confirm
      title={group ? t("Change the group of channels") : t("New group of channels")}
      action={group ? t("Save") : t("Add")}
      onConfirm={save}
      onClose={onClose}
    >
      <TextField label={t("Name")} maxLength={60} value={name} onChange={setName} />
      <TextArea label={t("Description")} maxLength={1024} value={description} onChange={setDescription} />
      <Channels chosen={chosen} onChange={setChosen} />
    </Confirm>
  );
}

interface ChannelsProps {
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
}

function Channels({ chosen, onChange }: ChannelsProps) {
  const streams = useSelect((state) => state.streams);
  const defaults = useSelect(({ organization }) => organization.realm_default_streams);
  const sorted = Object.values(streams).sort((a, b) => collator.compare(a.name, b.name));
  const listed = sorted.filter(({ stream_id }) => chosen.includes(stream_id));
  const others = sorted.filter(
    ({ stream_id, invite_only, is_archived }) =>
      !invite_only && !is_archived && !chosen.includes(stream_id) && !defaults.includes(stream_id),
  );
  return (
    <>
      <ul className={css.list} aria-label={t("Channels")}>
        {listed.map(({ stream_id, name }) => (
          <li key={stream_id} className={css.item}>
            <bdi className={css.itemText}>{name}</bdi>
            <IconButton
              size="small"
              icon={X}
              label={t("Remove {name}", { name })}
              onClick={() => onChange(chosen.filter((id) => id !== stream_id))}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <Select
          label={t("Add a channel")}
          hint={t("Public ones, to which new people are not subscribed anyway.")}
          value={0}
          choices={[
            { value: 0, label: t("Choose …") },
            ...others.map(({ stream_id, name }) => ({ value: stream_id, label: name })),
          ]}
          onChange={(id) => {
            if (id !== 0) onChange([...chosen, id]);
          }}
        />
      ) : null}
    </>
  );
}
