// Sites on which people can run code of a language.
import { Play, Plus } from "lucide-react";
import { useState } from "react";
import type { Playground } from "@/foundation/playgrounds/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CodeField, TextField } from "../../ui/field.tsx";
import css from "../organize/organize.module.css";

export function PlaygroundsSection() {
  const { api } = useClient();
  const all = useSelect(({ organization }) => organization.realm_playgrounds);
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Playground | null>(null);
  const playgrounds = all.toSorted(
    (a, b) => collator.compare(a.pygments_language, b.pygments_language) || collator.compare(a.name, b.name),
  );
  return (
    <section className={css.group}>
      <p className={css.quiet}>
        {t("Sites to which apps can lead from a block of code, to run it there. The site gets the code.")}
      </p>
      <div className={css.buttons}>
        <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
          {t("Add a playground")}
        </Button>
      </div>
      {playgrounds.length === 0 ? <EmptyState icon={Play} title={t("No playgrounds yet")} /> : null}
      <ul className={css.list} aria-label={t("Code playgrounds")}>
        {playgrounds.map((one) => (
          <li key={one.id} className={css.item}>
            <div className={css.itemText}>
              <p>
                <bdi>{one.name}</bdi> <bdi className={css.quiet}>{one.pygments_language}</bdi>
              </p>
              <p className={css.quiet}>
                <bdi dir="ltr">{one.url_template}</bdi>
              </p>
            </div>
            <Button
              size="small"
              aria-label={t("Remove {name}", { name: `${one.name} (${one.pygments_language})` })}
              onClick={() => setRemoving(one)}
            >
              {t("Remove")}
            </Button>
          </li>
        ))}
      </ul>
      {isAdding ? <Adding onClose={() => setAdding(false)} /> : null}
      {removing ? (
        <Confirm
          title={t("Remove {name}?", { name: removing.name })}
          action={t("Remove")}
          danger
          onConfirm={() => api.delete(`/realm/playgrounds/${removing.id}`)}
          onClose={() => setRemoving(null)}
        >
          <p>
            {t("Blocks of code in {language} no longer lead there.", {
              language: removing.pygments_language,
            })}
          </p>
        </Confirm>
      ) : null}
    </section>
  );
}

function Adding({ onClose }: { onClose: () => void }) {
  const { api } = useClient();
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("");
  const [template, setTemplate] = useState("");
  return (
    <Confirm
      title={t("New playground")}
      action={t("Add")}
      onConfirm={() =>
        api.post("/realm/playgrounds", {
          name: name.trim(),
          pygments_language: language.trim(),
          url_template: template.trim(),
        })
      }
      onClose={onClose}
    >
      <TextField
        label={t("Name")}
        maxLength={100}
        value={name}
        onChange={setName}
        hint={t("What people read, such as “Rust playground”.")}
      />
      <CodeField
        label={t("Language of the code")}
        maxLength={40}
        value={language}
        onChange={setLanguage}
        hint={t("As behind the backticks that open a block, such as {example}.", { example: "rust" })}
      />
      <CodeField
        label={t("Address of the site")}
        inputMode="url"
        value={template}
        onChange={setTemplate}
        hint={t("With the code in braces: {example}", { example: "https://play.example.com/?code={code}" })}
      />
    </Confirm>
  );
}
