// The form of a profile field: its type, what is asked, the choices of a list, and the site of an account.
import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { FieldUse, ProfileField } from "@/foundation/profile-fields/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Checkbox, CodeField, Select, TextField } from "../../ui/field.tsx";
import { goTo, goToLater } from "../../ui/routes/navigation.ts";
import { showToast } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";
import { Ordered } from "./ordered.tsx";

const types = {
  short: 1,
  long: 2,
  choices: 3,
  date: 4,
  link: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

const typeNames: Readonly<Record<ProfileField["type"], string>> = {
  [types.short]: t("Short text"),
  [types.long]: t("Long text"),
  [types.choices]: t("List of choices"),
  [types.date]: t("Day"),
  [types.link]: t("Web address"),
  [types.people]: t("People"),
  [types.account]: t("Account elsewhere"),
  [types.pronouns]: t("Pronouns"),
};

export const typeName = (type: ProfileField["type"]) => typeNames[type];

const otherSite = "custom";
const userMark = "%(username)s";

interface Choice {
  key: string;
  text: string;
}

interface Draft {
  type: ProfileField["type"];
  name: string;
  hint: string;
  choices: readonly Choice[];
  /** Of an account: the site, or `custom`. */
  site: string;
  /** Of an account at another site. */
  url_pattern: string;
  display_in_profile_summary: boolean;
  required: boolean;
  editable_by_user: boolean;
  use_for_user_matching: boolean;
}

function draftOf(field: ProfileField | null): Draft {
  const data = JSON.parse(field?.field_data || "{}") as Record<string, unknown>;
  const isList = field?.type === types.choices;
  const choices = Object.entries(isList ? (data as Record<string, { text: string; order: string }>) : {})
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }));
  return {
    type: field?.type ?? types.short,
    name: field?.name ?? "",
    hint: field?.hint ?? "",
    choices: field ? choices : [{ key: "1", text: "" }],
    site: typeof data.subtype === "string" ? data.subtype : otherSite,
    url_pattern: typeof data.url_pattern === "string" ? data.url_pattern : "",
    display_in_profile_summary: field?.display_in_profile_summary === true,
    required: field?.required === true,
    editable_by_user: field?.editable_by_user !== false,
    use_for_user_matching: field?.use_for_user_matching === true,
  };
}

/** What the server gets, apart from the type. */
function traitsOf(draft: Draft): Record<string, unknown> {
  const { type, name, hint, choices, site, url_pattern, ...flags } = draft;
  if (isKnownSite(draft))
    return {
      field_data: { subtype: site },
      display_in_profile_summary: flags.display_in_profile_summary,
      use_for_user_matching: flags.use_for_user_matching,
    };
  const listed = choices
    .map(({ key, text }) => ({ key, text: text.trim() }))
    .filter(({ text }) => text !== "");
  return {
    name: name.trim(),
    hint: hint.trim(),
    ...flags,
    ...(type === types.choices && {
      field_data: Object.fromEntries(
        listed.map(({ key, text }, at) => [key, { text, order: String(at + 1) }]),
      ),
    }),
    ...(type === types.account && { field_data: { subtype: site, url_pattern: url_pattern.trim() } }),
  };
}

/** Its name and hint are given, and only whether it is in short profiles can be changed later. */
const isKnownSite = ({ type, site }: Draft) => type === types.account && site !== otherSite;

interface FieldFormProps {
  /** Null for a new one. */
  field: ProfileField | null;
  /** Where the person goes when it is saved, or given up. */
  back: string;
}

export function FieldForm({ field, back }: FieldFormProps) {
  const { api } = useClient();
  const [draft, setDraft] = useState(() => draftOf(field));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const isList = draft.type === types.choices;
  const use = useLoaded<FieldUse>(field && isList ? `/realm/profile_fields/${field.id}/use` : null);
  const change = (to: Partial<Draft>) => setDraft((before) => ({ ...before, ...to }));
  const isKept = (key: string) => draft.choices.some((one) => one.key === key && one.text.trim() !== "");
  const lost = field && isList ? draftOf(field).choices.filter(({ key }) => !isKept(key)) : [];

  const send = async () => {
    const traits = traitsOf(draft);
    const goOn = goToLater();
    if (field) await api.patch(`/realm/profile_fields/${field.id}`, traits);
    else await api.post("/realm/profile_fields", { field_type: draft.type, ...traits });
    showToast({ text: t("The profile field is saved.") });
    goOn(back);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (lost.length > 0) return setAsking(true);
    setBusy(true);
    setProblem(undefined);
    await send().catch((error: unknown) => setProblem(reasonOf(error)));
    setBusy(false);
  };
  return (
    <form className={css.group} onSubmit={(event) => void save(event)} noValidate>
      <h2 className={css.groupTitle}>{field ? <bdi>{field.name}</bdi> : t("New profile field")}</h2>
      {field ? (
        <p className={css.quiet}>{typeName(field.type)}</p>
      ) : (
        <Select
          label={t("Type|of a profile field")}
          value={draft.type}
          choices={Object.values(types).map((value) => ({ value, label: typeName(value) }))}
          onChange={(type) => change({ type })}
        />
      )}
      {draft.type === types.account ? <Site draft={draft} isNew={field === null} change={change} /> : null}
      {isKnownSite(draft) ? null : (
        <>
          <TextField
            label={t("Label")}
            maxLength={40}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <TextField
            label={t("Hint|of a profile field")}
            maxLength={80}
            value={draft.hint}
            onChange={(hint) => change({ hint })}
            hint={t("It stands below the field, as this does here.")}
          />
        </>
      )}
      {isList ? <Choices field={field} draft={draft} change={change} /> : null}
      <Flags draft={draft} change={change} />
      {problem ? (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={css.buttons}>
        <Button type="submit" look="primary" busy={isBusy}>
          {field ? t("Save") : t("Add")}
        </Button>
        <Button onClick={() => goTo(back)}>{t("Cancel")}</Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t("{count, plural, one {Remove # choice?} other {Remove # choices?}}", {
            count: lost.length,
          })}
          action={t("Remove")}
          danger
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>{t("Who has chosen one of them has no answer any more:")}</p>
          <ul className={css.list}>
            {lost.map(({ key, text }) => (
              <li key={key} className={css.item}>
                <bdi className={css.itemText}>{text}</bdi>
                {use.value ? (
                  <span className={css.quiet}>
                    {t("{count, plural, one {# person} other {# people}}", {
                      count: use.value.options[key] ?? 0,
                    })}
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </Confirm>
      ) : null}
    </form>
  );
}

interface PartProps {
  draft: Draft;
  change: (to: Partial<Draft>) => void;
}

function Flags({ draft, change }: PartProps) {
  const isLarge = draft.type === types.people;
  const finds = draft.type === types.short || draft.type === types.account;
  return (
    <>
      {isLarge ? null : (
        <Checkbox
          label={t("Also in short profiles")}
          hint={t("In apps that have them. At most two fields.")}
          checked={draft.display_in_profile_summary}
          onChange={(display_in_profile_summary) => change({ display_in_profile_summary })}
        />
      )}
      {finds ? (
        <Checkbox
          label={t("People are found by it, too")}
          hint={t("Where one writes a mention.")}
          checked={draft.use_for_user_matching}
          onChange={(use_for_user_matching) => change({ use_for_user_matching })}
        />
      ) : null}
      {isKnownSite(draft) ? null : (
        <>
          <Checkbox
            label={t("People are asked to fill it in")}
            checked={draft.required}
            onChange={(required) => change({ required })}
          />
          <Checkbox
            label={t("People fill it in themselves")}
            hint={t("Otherwise only administrators do.")}
            checked={draft.editable_by_user}
            onChange={(editable_by_user) => change({ editable_by_user })}
          />
        </>
      )}
    </>
  );
}

function Site({ draft, isNew, change }: PartProps & { isNew: boolean }) {
  const known = useSelect(({ organization }) => organization.realm_default_external_accounts);
  if (!isNew && isKnownSite(draft))
    return <p className={css.quiet}>{t("Its label and address are given by the site.")}</p>;
  return (
    <>
      {isNew ? (
        <Select
          label={t("Site")}
          value={draft.site}
          choices={[
            ...Object.entries(known).map(([value, { text }]) => ({ value, label: text })),
            { value: otherSite, label: t("Another site") },
          ]}
          onChange={(site) => change({ site })}
        />
      ) : null}
      {isKnownSite(draft) ? null : (
        <CodeField
          label={t("Address of an account")}
          inputMode="url"
          value={draft.url_pattern}
          onChange={(url_pattern) => change({ url_pattern })}
          hint={t("With {mark} for the name of the account: {example}", {
            mark: userMark,
            example: `https://example.com/${userMark}`,
          })}
        />
      )}
    </>
  );
}

/** A number that no choice has, nor had when the form was opened: people's answers name choices by it. */
function nextKey(keys: readonly string[]): string {
  return String(Math.max(0, ...keys.map((key) => (/^\d{1,9}$/.test(key) ? Number(key) : 0))) + 1);
}

function Choices({ field, draft, change }: PartProps & { field: ProfileField | null }) {
  const { choices } = draft;
  const [added, setAdded] = useState<string>();
  const edit = (key: string, text: string) =>
    change({ choices: choices.map((one) => (one.key === key ? { key, text } : one)) });
  const add = () => {
    const key = nextKey([...choices, ...draftOf(field).choices].map((one) => one.key));
    setAdded(key);
    change({ choices: [...choices, { key, text: "" }] });
  };
  return (
    <fieldset className={css.choices}>
      <legend>{t("Choices")}</legend>
      <Ordered
        label={t("Choices")}
        rows={choices}
        keyOf={({ key }) => key}
        nameOf={({ text, key }) => text || key}
        onOrder={async (rows) => change({ choices: rows })}
        actions={({ key, text }) => (
          <IconButton
            size="small"
            icon={X}
            label={t("Remove {name}", { name: text || key })}
            disabled={choices.length === 1}
            onClick={() => change({ choices: choices.filter((one) => one.key !== key) })}
          />
        )}
      >
        {(choice) => (
          <TextField
            ref={choice.key === added ? focusOnce : null}
            label={t("Choice {number, number}", { number: choices.indexOf(choice) + 1 })}
            quietLabel
            maxLength={100}
            value={choice.text}
            onChange={(text) => edit(choice.key, text)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              add();
            }}
          />
        )}
      </Ordered>
      <div className={css.buttons}>
        <Button size="small" icon={Plus} onClick={add}>
          {t("Add a choice")}
        </Button>
      </div>
    </fieldset>
  );
}

/** A field that was added has the focus at first. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}
