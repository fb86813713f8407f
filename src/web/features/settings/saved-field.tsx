import { useState } from "react";
import { said } from "../../api/request.ts";
import { Button } from "../../ui/button.tsx";
import { TextField, type TextFieldProps } from "../../ui/field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import css from "./settings.module.css";

interface SavedFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "error"> {
  /** What the server has. */
  saved: string;
  /** Rejects if the server refuses; the error is then shown below the field. */
  save: (text: string) => Promise<unknown>;
  /** What to say once it is saved. */
  done: string;
}

/** A line of text with a button that saves it. */
export function SavedField({ saved, save, done, required, ...field }: SavedFieldProps) {
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
          (error: unknown) => setProblem(said(error)),
        );
      }}
    >
      <TextField {...field} value={text} onChange={setText} error={problem} />
      <Button type="submit" disabled={wanted === saved || (required === true && wanted === "")}>
        Save
      </Button>
    </form>
  );
}
