import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import css from "./settings.module.css";

export function AlertWords() {
  const { api } = useClient();
  const words = useSelect((state) => state.alert_words);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const run = (work: Promise<unknown>) => {
    setProblem(undefined);
    work.then(
      () => setText(""),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") run(api.post("/users/me/alert_words", { alert_words: [text.trim()] }));
  };
  return (
    <section className={css.group}>
      <p className={css.quiet}>
        {t("A message that holds one of these words counts as if it mentioned you.")}
      </p>
      <form className={css.row} onSubmit={add}>
        <TextField label={t("Word")} value={text} onChange={setText} maxLength={100} error={problem} />
        <Button type="submit" disabled={text.trim() === ""}>
          {t("Add")}
        </Button>
      </form>
      <ul className={css.list}>
        {words.map((word) => (
          <li key={word} className={css.item}>
            <span className={css.itemText}>{word}</span>
            <IconButton
              size="small"
              icon={X}
              label={t("Remove {name}", { name: word })}
              onClick={() => run(api.delete("/users/me/alert_words", { alert_words: [word] }))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
