import type { ComponentProps, ReactNode } from "react";
import { useId } from "react";
import { classes } from "../lib/classes.ts";
import css from "./field.module.css";

interface Described {
  label: string;
  /** A hint, shown below the field. */
  hint?: ReactNode;
  /** The error, as a sentence. */
  error?: string | undefined;
  /** Shows the label to screen readers only. */
  quietLabel?: boolean;
}

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

export interface FieldProps extends Described {
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label, hint and error, connected for assistive technology. */
export function Field({ label, hint, error, quietLabel = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const said = [error ? errorId : null, hint ? hintId : null].filter(Boolean).join(" ");
  return (
    <div className={css.field}>
      <label htmlFor={id} className={quietLabel ? "visually-hidden" : css.label}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": said === "" ? undefined : said,
        "aria-invalid": error ? true : undefined,
      })}
      {error ? (
        <p id={errorId} className={css.error} role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={hintId} className={css.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** That of what is typed; without anything, that of the page, as the placeholder has it. */
const directionOf = (value: unknown) => (value ? "auto" : undefined);

export interface TextFieldProps extends Described, Omit<ComponentProps<"input">, "id" | "onChange"> {
  onChange: (value: string) => void;
}

export function TextField({ label, hint, error, quietLabel, onChange, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} quietLabel={quietLabel ?? false}>
      {(control) => (
        <input
          dir={rest.type === undefined ? directionOf(rest.value) : undefined}
          {...rest}
          {...control}
          className={classes(css.input, className)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** For what is written in no language: patterns, and addresses with placeholders. */
export function CodeField(props: TextFieldProps) {
  return <TextField dir="ltr" spellCheck={false} autoCapitalize="off" {...props} />;
}

export interface TextAreaProps extends Described, Omit<ComponentProps<"textarea">, "id" | "onChange"> {
  onChange: (value: string) => void;
}

export function TextArea({ label, hint, error, quietLabel, onChange, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} quietLabel={quietLabel ?? false}>
      {(control) => (
        <textarea
          rows={3}
          dir={directionOf(rest.value)}
          {...rest}
          {...control}
          className={classes(css.input, css.area, className)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface FieldChoice<Value extends string | number> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string | number> extends Described {
  value: Value;
  choices: readonly FieldChoice<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** A native select, which works best on every device. */
export function Select<Value extends string | number>({
  value,
  choices,
  onChange,
  disabled = false,
  ...described
}: SelectProps<Value>) {
  return (
    <Field {...described}>
      {(control) => (
        <select
          {...control}
          className={classes(css.input, css.select)}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            const chosen = choices[event.target.selectedIndex];
            if (chosen) onChange(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface SwitchProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A switch, which takes effect at once. */
export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className={css.toggle}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={css.switch}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** A check box of a form. */
export function Checkbox({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className={css.toggle}>
      <input
        id={id}
        type="checkbox"
        className={css.checkbox}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export interface RadiosProps<Value extends string | number> {
  legend: string;
  value: Value;
  choices: readonly (FieldChoice<Value> & { hint?: ReactNode })[];
  onChange: (value: Value) => void;
}

export function Radios<Value extends string | number>({
  legend,
  value,
  choices,
  onChange,
}: RadiosProps<Value>) {
  const name = useId();
  return (
    <fieldset className={css.radios}>
      <legend className={css.label}>{legend}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className={css.toggle}>
          <input
            id={`${name}-${choice.value}`}
            type="radio"
            name={name}
            className={css.checkbox}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <label htmlFor={`${name}-${choice.value}`}>{choice.label}</label>
          {choice.hint ? <p className={css.hint}>{choice.hint}</p> : null}
        </div>
      ))}
    </fieldset>
  );
}
