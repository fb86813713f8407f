// A setting as a field, as its description says: for people's own settings, for the organization's, and for what new people get.
import { useEffect, useState } from "react";
import type { Worded } from "@/foundation/realm/descriptions.ts";
import { languages } from "@/text/language/languages.ts";
import { sameList, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { Button } from "../../ui/button.tsx";
import { type FieldChoice, Select, Switch, TextArea, TextField } from "../../ui/field.tsx";
import css from "./settings.module.css";

/** As the API has it; null is no limit. */
export type SettingValue = boolean | string | number | null;

interface SettingFieldProps {
  words: Worded;
  value: SettingValue;
  disabled?: boolean;
  /** Instead of the hint. */
  note?: string | undefined;
  onChange: (value: SettingValue) => void;
}

const noChannel = -1;

export function SettingField({ words, value, disabled = false, note, onChange }: SettingFieldProps) {
  const common = { label: t(words.about), hint: note ?? (words.hint && t(words.hint)), disabled };
  const { form } = words;
  if (form === "channel") return <ChannelField {...common} value={Number(value)} onChange={onChange} />;
  const choices = listChoices(words, value);
  if (choices) {
    const chosen = value ?? "";
    return (
      <Select
        {...common}
        value={chosen as string | number}
        choices={choices}
        onChange={(next) => onChange(next === "" && words.nullable ? null : next)}
      />
    );
  }
  if (form === undefined) return <Switch {...common} checked={value === true} onChange={onChange} />;
  return (
    <WrittenField
      {...common}
      isLong={form === "long text"}
      isNumber={form === "number"}
      value={value === null ? "" : String(value)}
      onChange={(text) =>
        onChange(form === "number" ? Number(text) : text === "" && words.nullable ? null : text)
      }
    />
  );
}

/** Null for a setting that is not chosen from a list. A value that the list lacks is added to it. */
function listChoices(words: Worded, value: SettingValue): FieldChoice<string | number>[] | null {
  const choices = offeredChoices(words);
  if (!choices || value === null || choices.some((choice) => choice.value === value)) return choices;
  return [...choices, { value: value as string | number, label: labelOf(words, Number(value)) }];
}

function offeredChoices({ values, form, offers, nullable }: Worded): FieldChoice<string | number>[] | null {
  if (form === "language") return languages.map(({ tag, name }) => ({ value: tag, label: name }));
  if (values) return values.map(([value, word]) => ({ value, label: t(word) }));
  if (!offers) return null;
  const listed = offers.map((value) => ({ value, label: labelOf({ form }, value) }));
  return nullable ? [{ value: "", label: t("No limit") }, ...listed] : listed;
}

function labelOf({ form }: Pick<Worded, "form">, value: number): string {
  if (form === "time") return duration(value);
  return form === "pixels" ? t("{size, number} px", { size: value }) : String(value);
}

interface ChannelFieldProps {
  label: string;
  hint: string | undefined;
  disabled: boolean;
  value: number;
  onChange: (value: number) => void;
}

function ChannelField({ value, ...rest }: ChannelFieldProps) {
  const channels = useSelect(
    ({ streams }) => Object.values(streams).filter(({ is_archived }) => !is_archived),
    sameList,
  );
  const named = channels
    .map(({ stream_id, name }) => ({ value: stream_id, label: name }))
    .sort((a, b) => collator.compare(a.label, b.label));
  const choices = [{ value: noChannel, label: t("None|channel") }, ...named];
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <Select
      {...rest}
      value={value}
      choices={isKnown ? choices : [...choices, { value, label: t("A channel that you cannot see") }]}
    />
  );
}

interface WrittenFieldProps {
  label: string;
  hint: string | undefined;
  disabled: boolean;
  isLong: boolean;
  isNumber: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** A text or number, which is saved by a button: it appears once something has changed. What is being written stays if others save meanwhile. */
function WrittenField({ isLong, isNumber, value, onChange, ...rest }: WrittenFieldProps) {
  const [written, setText] = useState<string | null>(null);
  useEffect(() => setText((now) => (now?.trim() === value ? null : now)), [value]);
  const text = written ?? value;
  const isChanged = text.trim() !== value;
  const save = () => isChanged && (!isNumber || text.trim() !== "") && onChange(text.trim());
  return (
    <form
      className={css.group}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {isLong ? (
        <TextArea {...rest} value={text} dir="auto" onChange={setText} />
      ) : (
        <TextField
          {...rest}
          value={text}
          dir={isNumber ? undefined : "auto"}
          inputMode={isNumber ? "numeric" : undefined}
          pattern={isNumber ? "[0-9]*" : undefined}
          onChange={setText}
        />
      )}
      {isChanged ? (
        <div className={css.buttons}>
          <Button type="submit">{t("Save")}</Button>
          <Button onClick={() => setText(null)}>{t("Cancel")}</Button>
        </div>
      ) : null}
    </form>
  );
}
