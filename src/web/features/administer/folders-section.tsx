import { ArrowDown, ArrowUp } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";

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
  const move = (at: number, by: number) => {
    const order = folders.map(({ id }) => id);
    const [moved] = order.splice(at, 1);
    if (moved === undefined) return;
    order.splice(at + by, 0, moved);
    const archived = all.filter(({ is_archived }) => is_archived).map(({ id }) => id);
    api.patch("/channel_folders", { order: [...order, ...archived] }).catch(showFailure);
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
      <ul className={css.list}>
        {folders.map((folder, at) => (
          <li key={folder.id} className={css.item}>
            <span className={css.itemText}>{folder.name}</span>
            {mayChange ? (
              <>
                <IconButton
                  size="small"
                  icon={ArrowUp}
                  label={t("Move {name} up", { name: folder.name })}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  size="small"
                  icon={ArrowDown}
                  label={t("Move {name} down", { name: folder.name })}
                  disabled={at === folders.length - 1}
                  onClick={() => move(at, 1)}
                />
                <Button
                  size="small"
                  aria-label={t("Archive {name}", { name: folder.name })}
                  onClick={() =>
                    void api.patch(`/channel_folders/${folder.id}`, { is_archived: true }).catch(showFailure)
                  }
                >
                  {t("Archive")}
                </Button>
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
