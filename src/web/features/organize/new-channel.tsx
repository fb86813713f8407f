import { useState } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { possiblePrivacies } from "../../state/permissions.ts";
import { type Privacy, privacies, privacyParams } from "../../state/privacy.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Checkbox, Radios, Select, TextArea, TextField } from "../../ui/field.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { goToLater, linkTo } from "../../ui/routes/navigation.ts";

export function NewChannel({ onClose }: { onClose: () => void }) {
  const { api, store } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const folders = useSelect((state) => state.channel_folders);
  const limits = useSelect((state) => state.organization);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const possible = useSelect(possiblePrivacies, sameList);
  const [privacy, setPrivacy] = useState<Privacy>(possible[0] ?? "public");
  const isAnnounced = useSelect(
    ({ organization }) => Number(organization.realm_new_stream_announcements_stream_id) > 0,
  );
  const [folder, setFolder] = useState(0);
  const [people, setPeople] = useState<readonly number[]>([]);
  const [announce, setAnnounce] = useState(true);
  const create = async () => {
    if (name.trim() === "") throw new Error(t("A channel needs a name."));
    const goOn = goToLater();
    const { id } = await api.post<{ id: number }>("/channels/create", {
      name: name.trim(),
      description: description.trim(),
      subscribers: [self, ...people],
      announce,
      ...privacyParams(privacy, "invite_only"),
      ...(folder === 0 ? {} : { folder_id: folder }),
    });
    goOn(linkTo({ view: "topics", channel: id }, store.get()));
  };
  return (
    <Confirm title={t("New channel")} action={t("Create the channel")} onConfirm={create} onClose={onClose}>
      <TextField
        label={t("Name")}
        value={name}
        maxLength={Number(limits.max_stream_name_length)}
        onChange={setName}
        hint={t("What it is about, such as “launch” or “kitchen”.")}
      />
      <TextArea
        label={t("Description")}
        value={description}
        maxLength={Number(limits.max_stream_description_length)}
        onChange={setDescription}
      />
      <Radios
        legend={t("Who may read it")}
        value={privacy}
        choices={privacies.filter(({ value }) => possible.includes(value))}
        onChange={setPrivacy}
      />
      {folders.some(({ is_archived }) => !is_archived) ? (
        <Select
          label={t("Folder")}
          value={folder}
          choices={[
            { value: 0, label: t("None") },
            ...folders.filter((one) => !one.is_archived).map((one) => ({ value: one.id, label: one.name })),
          ]}
          onChange={setFolder}
        />
      ) : null}
      <PeoplePicker
        label={t("Add people")}
        without={new Set([self, ...people])}
        onPick={(id) => setPeople([...people, id])}
      />
      <PeopleList ids={people} onRemove={(id) => setPeople(people.filter((one) => one !== id))} />
      {isAnnounced && (privacy === "public" || privacy === "web") ? (
        <Checkbox label={t("Announce it to everyone")} checked={announce} onChange={setAnnounce} />
      ) : null}
    </Confirm>
  );
}
