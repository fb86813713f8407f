import { type FormEvent, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";
import { Ordered } from "./ordered.tsx";

export function FoldersSection() {
  const { api } = useClient();
  const all = useSelect((state) => state.channel_folders);
  const mayChange = useSelect(({ self }) => self.is_admin || self.is_owner);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const folders = all.filter(({ is_archived }) => !is_archived).sort((a, b) => a.order - b.order);
  const add = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    api.post("/channel_folders/create", { name: name.trim(), description: "" }).then(
      () => setName(""),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  const order = (rows: typeof folders) => {
    const archived = all.filter(({ is_archived }) => is_archived);
    return api.patch("/channel_folders", { order: [...rows, ...archived].map(({ id }) => id) });
  };
  return (
    <section className={css.group}>
      <p className={css.quiet}>{t("Folders keep channels together in everyone's sidebar.")}</p>
      {mayChange ? (
        <form className={css.group} onSubmit={add}>
          <TextField label={t("New folder")} value={name} onChange={setName} error={problem} />
          <div className={css.buttons}>
            <Button type="submit" disabled={name.trim() === ""}>
              {t("Add")}
            </Button>
          </div>
        </form>
      ) : (
        <p className={css.quiet}>{t("Only administrators change them.")}</p>
      )}
      <Ordered
        label={t("Folders")}
        rows={folders}
        keyOf={({ id }) => id}
        nameOf={({ name: called }) => called}
        onOrder={mayChange ? order : undefined}
        actions={(folder) =>
          mayChange ? (
            <Button
              size="small"
              aria-label={t("Archive {name}", { name: folder.name })}
              onClick={() =>
                void api.patch(`/channel_folders/${folder.id}`, { is_archived: true }).catch(showFailure)
              }
            >
              {t("Archive")}
            </Button>
          ) : null
        }
      >
        {(folder) => folder.name}
      </Ordered>
    </section>
  );
}
