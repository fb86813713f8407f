import { Folder } from "lucide-react";
import { type FormEvent, useState } from "react";
import type * as schema from "@/places/folders/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
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
  const [renaming, setRenaming] = useState<schema.Folder | null>(null);
  const folders = all.filter(({ is_archived }) => !is_archived).sort((a, b) => a.order - b.order);
  const add = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    api.post("/channel_folders/create", { name: name.trim(), description: "" }).then(
      () => setName(""),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  const archived = all.filter(({ is_archived }) => is_archived).sort((a, b) => a.order - b.order);
  const setArchived = (id: number, is_archived: boolean) =>
    void api.patch(`/channel_folders/${id}`, { is_archived }).catch(showFailure);
  const order = (rows: typeof folders) =>
    api.patch("/channel_folders", { order: [...rows, ...archived].map(({ id }) => id) });
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
            <>
              <Button
                size="small"
                aria-label={t("Rename {name}", { name: folder.name })}
                onClick={() => setRenaming(folder)}
              >
                {t("Rename")}
              </Button>
              <Button
                size="small"
                aria-label={t("Archive {name}", { name: folder.name })}
                onClick={() => setArchived(folder.id, true)}
              >
                {t("Archive")}
              </Button>
            </>
          ) : null
        }
      >
        {(folder) => <bdi>{folder.name}</bdi>}
      </Ordered>
      {folders.length === 0 ? <EmptyState icon={Folder} title={t("No folders yet")} /> : null}
      {archived.length === 0 ? null : (
        <>
          <h2 className={css.groupTitle}>{t("Archived folders")}</h2>
          <ul className={css.list} aria-label={t("Archived folders")}>
            {archived.map((folder) => (
              <li key={folder.id} className={css.item}>
                <span className={css.itemText}>
                  <bdi>{folder.name}</bdi>
                </span>
                {mayChange ? (
                  <Button
                    size="small"
                    aria-label={t("Bring back {name}", { name: folder.name })}
                    onClick={() => setArchived(folder.id, false)}
                  >
                    {t("Bring back|a folder")}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
      {renaming ? <Renaming folder={renaming} onClose={() => setRenaming(null)} /> : null}
    </section>
  );
}

function Renaming({ folder, onClose }: { folder: schema.Folder; onClose: () => void }) {
  const { api } = useClient();
  const [name, setName] = useState(folder.name);
  return (
    <Confirm
      title={t("Rename {name}", { name: folder.name })}
      action={t("Rename")}
      onConfirm={() => api.patch(`/channel_folders/${folder.id}`, { name: name.trim() })}
      onClose={onClose}
    >
      <TextField label={t("Name")} maxLength={60} value={name} onChange={setName} />
    </Confirm>
  );
}
