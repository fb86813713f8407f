import { ImageUp } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { collator, t } from "../../lib/texts.ts";
import { mayAddEmoji } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { extra } from "../../ui/emoji/names.ts";
import { TextField } from "../../ui/field.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { sendPicture } from "../compose/uploads.ts";
import css from "../organize/organize.module.css";

export function EmojiSection() {
  const { api, boot } = useClient();
  const emoji = useSelect((state) => state.realm_emoji);
  const users = useSelect((state) => state.users);
  const mayAdd = useSelect(mayAddEmoji);
  const self = useSelect((state) => state.self);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [file, setFile] = useState<File>();
  const [preview, setPreview] = useState<string>();
  const picture = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!file) return setPreview(undefined);
    const address = URL.createObjectURL(file);
    setPreview(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  const own = Object.values(emoji)
    .filter(({ deactivated }) => !deactivated)
    .sort((a, b) => collator.compare(a.name, b.name));
  const add = (event: FormEvent) => {
    event.preventDefault();
    const called = name.trim().toLowerCase().replaceAll(" ", "_");
    if (!file) return setProblem(t("Choose a picture."));
    if (called === "") return setProblem(t("An emoji needs a name."));
    setProblem(undefined);
    sendPicture(`/realm/emoji/${encodeURIComponent(called)}`, file, boot.csrf_cookie).then(
      () => {
        setName("");
        setFile(undefined);
        if (picture.current) picture.current.value = "";
        showToast({ text: t("{emoji} is added.", { emoji: `:${called}:` }) });
      },
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  return (
    <section className={css.group}>
      {mayAdd ? (
        <form className={css.group} onSubmit={add}>
          <TextField
            label={t("Name")}
            value={name}
            onChange={setName}
            error={problem}
            hint={t("It is written :between colons:.")}
          />
          <input
            ref={picture}
            type="file"
            accept="image/*"
            hidden
            onChange={({ target }) => setFile(target.files?.[0])}
          />
          <div className={css.buttons}>
            <Button icon={ImageUp} onClick={() => picture.current?.click()}>
              {file ? t("Choose another picture") : t("Choose a picture")}
            </Button>
            {file && preview ? (
              <img className={css.emoji} src={preview} alt={t("Chosen: {file}", { file: file.name })} />
            ) : null}
          </div>
          <div className={css.buttons}>
            <Button type="submit" look="primary">
              {t("Add the emoji")}
            </Button>
          </div>
        </form>
      ) : (
        <p className={css.quiet}>{t("You cannot add emoji here.")}</p>
      )}
      <ul className={css.list}>
        {own.map(({ id, name: called, source_url, author_id }) => (
          <li key={id} className={css.item}>
            <img className={css.emoji} src={source_url} alt="" />
            <span className={css.itemText}>
              :{called}:{" "}
              <span className={css.quiet}>{author_id === null ? "" : users[author_id]?.full_name}</span>
            </span>
            {self.is_admin || (mayAdd && author_id === self.user_id) ? (
              <Button
                size="small"
                aria-label={t("Remove {name}", { name: called })}
                onClick={() =>
                  void api.delete(`/realm/emoji/${encodeURIComponent(called)}`).catch(showFailure)
                }
              >
                {t("Remove")}
              </Button>
            ) : null}
          </li>
        ))}
        <li className={css.item}>
          <img className={css.emoji} src={extra.image} alt="" />
          <span className={css.itemText}>
            :{extra.names[0]}: <span className={css.quiet}>{t("The server’s own")}</span>
          </span>
        </li>
      </ul>
    </section>
  );
}
