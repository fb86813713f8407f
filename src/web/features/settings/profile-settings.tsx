import { useRef, useState } from "react";
import type { ProfileField } from "@/foundation/profile-fields/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { mayChangeOwn } from "../../state/permissions.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Select, TextArea, TextField, type TextFieldProps } from "../../ui/field.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { sendPicture } from "../compose/uploads.ts";
import css from "./settings.module.css";

export function ProfileSettings() {
  return (
    <>
      <Picture />
      <Name />
      <Fields />
      <TimeZone />
    </>
  );
}

function Picture() {
  const { api, boot } = useClient();
  const self = useSelect((state) => state.self);
  const picture = useSelect((state) => state.users[self.user_id]?.avatar_url ?? self.avatar_url);
  const mayChange = useSelect((state) => mayChangeOwn(state, "realm_avatar_changes_disabled"));
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const run = (work: Promise<unknown>) => {
    setBusy(true);
    work.catch(showFailure).finally(() => setBusy(false));
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Picture")}</h2>
      <div className={css.picture}>
        <Avatar src={picture ?? `/avatar/${self.user_id}`} size={96} />
        {mayChange ? (
          <div className={css.buttons}>
            <input
              ref={input}
              type="file"
              accept="image/*"
              hidden
              onChange={({ target }) => {
                const file = target.files?.[0];
                target.value = "";
                if (file) run(sendPicture("/users/me/avatar", file, boot.csrf_cookie));
              }}
            />
            <Button busy={isBusy} onClick={() => input.current?.click()}>
              {t("Upload a picture")}
            </Button>
            <Button look="quiet" onClick={() => run(api.delete("/users/me/avatar"))}>
              {t("Remove")}
            </Button>
          </div>
        ) : (
          <p className={css.quiet}>{t("Only administrators can change pictures.")}</p>
        )}
      </div>
    </section>
  );
}

function Name() {
  const { api } = useClient();
  const name = useSelect((state) => state.users[state.self.user_id]?.full_name ?? state.self.full_name);
  const mayChange = useSelect((state) => mayChangeOwn(state, "realm_name_changes_disabled"));
  return (
    <SavedField
      {...(!mayChange && { readOnly: true, hint: t("Only administrators can change names.") })}
      label={t("Name")}
      saved={name}
      save={(full_name) => api.patch("/settings", { full_name })}
      done={t("Your name is changed.")}
      maxLength={100}
      autoComplete="name"
      required
    />
  );
}

const long = 2;
const choice = 3;
const date = 4;
const link = 5;
const person = 6;

function Fields() {
  const fields = useSelect((state) => state.organization.custom_profile_fields);
  const own = fields.filter(({ type, editable_by_user }) => type !== person && editable_by_user);
  if (own.length === 0) return null;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("About you")}</h2>
      {own.map((field) => (
        <ProfileFieldRow key={field.id} field={field} />
      ))}
    </section>
  );
}

function ProfileFieldRow({ field }: { field: ProfileField }) {
  const { id, name, type, field_data } = field;
  const { api } = useClient();
  const saved = useSelect((state) => state.users[state.self.user_id]?.profile_data?.[id]?.value ?? "");
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const isMissing = field.required && saved === "";
  const hint = [isMissing ? t("Please fill this in.") : "", field.hint].filter(Boolean).join(" ");
  const save = (value: string) => {
    if (value === saved) return;
    setProblem(undefined);
    const done = value === "" ? api.delete("/users/me/profile_data", { data: [id] }) : patchValue(value);
    done.catch((error: unknown) => setProblem(reasonOf(error)));
  };
  const patchValue = (value: string) => api.patch("/users/me/profile_data", { data: [{ id, value }] });
  if (type === choice) {
    const options = Object.entries(JSON.parse(field_data || "{}") as Record<string, { text: string }>);
    return (
      <Select
        label={name}
        hint={hint}
        error={problem}
        value={saved}
        choices={[
          { value: "", label: "—" },
          ...options.map(([value, { text: label }]) => ({ value, label })),
        ]}
        onChange={save}
      />
    );
  }
  const common = {
    label: name,
    hint,
    error: problem,
    value: text,
    onChange: setText,
    onBlur: () => save(text.trim()),
  };
  if (type === long) return <TextArea {...common} maxLength={500} />;
  return <TextField {...common} type={type === date ? "date" : type === link ? "url" : "text"} />;
}

function TimeZone() {
  const { api } = useClient();
  const zone = useSelect((state) => state.user_settings.timezone);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([zone, here, ...Intl.supportedValuesOf("timeZone")])];
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Time")}</h2>
      <Select
        label={t("Time zone")}
        hint={t("Others see on your card what time it is where you are.")}
        value={zone}
        choices={zones.map((value) => ({
          value,
          label: value === "" ? t("Not said") : value.replaceAll("_", " "),
        }))}
        onChange={(timezone) => void api.patch("/settings", { timezone }).catch(showFailure)}
      />
    </section>
  );
}

interface SavedFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "error"> {
  /** What the server has. */
  saved: string;
  /** Rejects if the server refuses; the error is then shown below the field. */
  save: (text: string) => Promise<unknown>;
  /** What to say once it is saved. */
  done: string;
}

/** A line of text with a button that saves it. */
function SavedField({ saved, save, done, required, ...field }: SavedFieldProps) {
  const [text, setText] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const wanted = text.trim();
  return (
    <form
      className={css.row}
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(undefined);
        save(wanted).then(
          () => showToast({ text: done }),
          (error: unknown) => setProblem(reasonOf(error)),
        );
      }}
    >
      <TextField {...field} value={text} onChange={setText} error={problem} />
      <Button type="submit" disabled={wanted === saved || (required === true && wanted === "")}>
        {t("Save")}
      </Button>
    </form>
  );
}
