// A form of several fields: saves what was changed, says what that is, and shows the server's error at its field.
import { type FormEvent, type ReactNode, useState } from "react";
import { sameJson } from "../api/client.ts";
import { Refusal, reasonOf } from "../api/request.ts";
import { classes } from "../lib/classes.ts";
import { listNames, t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import css from "./form.module.css";
import { showToast } from "./toasts.tsx";

interface FormOptions<Values extends object> {
  /** What is saved now: fields that are not being changed follow it. */
  saved: Values;
  labels: Record<keyof Values, string>;
  /** Saves the fields that differ. */
  save: (changed: Partial<Values>) => Promise<unknown>;
  /** The field of a parameter that the server refused, where it has another name. */
  fieldOf?: (param: string) => keyof Values | undefined;
}

export interface FormState<Values extends object> {
  values: Values;
  /** Label, value, `onChange` and error of one field. */
  field: <Name extends keyof Values>(
    name: Name,
  ) => {
    label: string;
    value: Values[Name];
    onChange: (value: Values[Name]) => void;
    error: string | undefined;
  };
  isChanged: boolean;
  isSaving: boolean;
  /** An error that belongs to no field. */
  problem: string | undefined;
  save: () => Promise<void>;
  reset: () => void;
}

export function useForm<Values extends object>(options: FormOptions<Values>): FormState<Values> {
  const {
    saved,
    labels,
    save,
    fieldOf = (param) => (param in labels ? (param as keyof Values) : undefined),
  } = options;
  const [edits, setEdits] = useState<Partial<Values>>({});
  const [isSaving, setSaving] = useState(false);
  const [refused, setRefused] = useState<{ name: keyof Values | undefined; reason: string }>();
  const values = { ...saved, ...edits };
  const changed = (Object.keys(edits) as (keyof Values)[]).filter(
    (name) => !sameJson(edits[name], saved[name]),
  );
  const names = Object.keys(labels) as (keyof Values)[];
  const only = changed.length === 1 ? changed[0] : names.length === 1 ? names[0] : undefined;
  return {
    values,
    field: (name) => ({
      label: labels[name],
      value: values[name],
      onChange: (value) => setEdits((before) => ({ ...before, [name]: value })),
      error: refused?.name === name ? refused.reason : undefined,
    }),
    isChanged: changed.length > 0,
    isSaving,
    problem: refused && refused.name === undefined ? refused.reason : undefined,
    save: async () => {
      if (changed.length === 0 || isSaving) return;
      setSaving(true);
      setRefused(undefined);
      try {
        await save(Object.fromEntries(changed.map((name) => [name, edits[name]])) as Partial<Values>);
        // What was written meanwhile is not saved yet.
        const isNew = ([name, value]: [string, unknown]) => value !== edits[name as keyof Values];
        setEdits((now) => Object.fromEntries(Object.entries(now).filter(isNew)) as Partial<Values>);
        showToast({ text: t("Saved: {what}.", { what: listNames(changed.map((name) => labels[name])) }) });
      } catch (error) {
        const param = error instanceof Refusal ? error.answer.var_name : undefined;
        const name = (typeof param === "string" ? fieldOf(param) : undefined) ?? only;
        setRefused({ name, reason: reasonOf(error) });
      } finally {
        setSaving(false);
      }
    },
    reset: () => {
      setEdits({});
      setRefused(undefined);
    },
  };
}

interface FormProps<Values extends object> {
  form: FormState<Values>;
  children: ReactNode;
  className?: string;
  /** The label of the button: by default "Save". */
  action?: string;
}

/** The fields, and the buttons that save or take back what was changed. */
export function Form<Values extends object>({ form, children, className, action }: FormProps<Values>) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.save();
  };
  return (
    <form className={classes(css.form, className)} onSubmit={submit} noValidate>
      {children}
      {form.problem ? (
        <p className={css.problem} role="alert">
          {form.problem}
        </p>
      ) : null}
      <div className={css.buttons}>
        <Button type="submit" disabled={!form.isChanged} busy={form.isSaving}>
          {action ?? t("Save")}
        </Button>
        {form.isChanged && !form.isSaving ? (
          <Button look="quiet" onClick={form.reset}>
            {t("Take back the changes")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
