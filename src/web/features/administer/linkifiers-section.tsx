// Patterns whose matches become links: their order, and what a text would get.
import { Link2, Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { FoundLink, LinkifierRow, NewLinkifier } from "@/foundation/linkifiers/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CodeField, TextArea } from "../../ui/field.tsx";
import css from "../organize/organize.module.css";
import { Ordered } from "./ordered.tsx";

export function LinkifiersSection() {
  const { api } = useClient();
  const linkifiers = useSelect(({ organization }) => organization.realm_linkifiers);
  const [editing, setEditing] = useState<LinkifierRow | "new" | null>(null);
  const [deleting, setDeleting] = useState<LinkifierRow | null>(null);
  return (
    <>
      <section className={css.group}>
        <p className={css.quiet}>
          {t(
            "Where a text fits a pattern, it becomes a link: {example} to an issue, say. Where several fit, the first one in the list makes the link.",
            { example: "#123" },
          )}
        </p>
        <div className={css.buttons}>
          <Button look="primary" icon={Plus} onClick={() => setEditing("new")}>
            {t("Add a linkifier")}
          </Button>
        </div>
        {linkifiers.length === 0 ? <EmptyState icon={Link2} title={t("No linkifiers yet")} /> : null}
        <Ordered
          label={t("Linkifiers")}
          rows={linkifiers}
          keyOf={({ id }) => id}
          nameOf={({ pattern }) => pattern}
          onOrder={(rows) =>
            api.patch("/realm/linkifiers", { ordered_linkifier_ids: rows.map(({ id }) => id) })
          }
          actions={(row) => (
            <>
              <IconButton
                size="small"
                icon={Pencil}
                label={t("Edit {name}", { name: row.pattern })}
                onClick={() => setEditing(row)}
              />
              <IconButton
                size="small"
                icon={Trash2}
                label={t("Delete {name}", { name: row.pattern })}
                onClick={() => setDeleting(row)}
              />
            </>
          )}
        >
          {({ pattern, url_template }) => (
            <>
              <p>
                <code dir="ltr">{pattern}</code>
              </p>
              <p className={css.quiet}>
                <bdi dir="ltr">{url_template}</bdi>
              </p>
            </>
          )}
        </Ordered>
      </section>
      {linkifiers.length > 0 ? (
        <section className={css.group}>
          <h2 className={css.groupTitle}>{t("Try them")}</h2>
          <Trial />
        </section>
      ) : null}
      {editing ? (
        <Editing
          key={editing === "new" ? 0 : editing.id}
          linkifier={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {deleting ? (
        <Confirm
          title={t("Delete this linkifier?")}
          action={t("Delete")}
          danger
          onConfirm={() => api.delete(`/realm/filters/${deleting.id}`)}
          onClose={() => setDeleting(null)}
        >
          <p>
            <code dir="ltr">{deleting.pattern}</code>
          </p>
          <p>{t("Messages that were sent keep their links. New ones get none.")}</p>
        </Confirm>
      ) : null}
    </>
  );
}

interface EditingProps {
  /** Null for a new one. */
  linkifier: LinkifierRow | null;
  onClose: () => void;
}

function Editing({ linkifier, onClose }: EditingProps) {
  const { api } = useClient();
  const [pattern, setPattern] = useState(linkifier?.pattern ?? "");
  const [template, setTemplate] = useState(linkifier?.url_template ?? "");
  const [example, setExample] = useState(linkifier?.example_input ?? "");
  const [shortForm, setShortForm] = useState(linkifier?.reverse_template ?? "");
  const [others, setOthers] = useState(linkifier?.alternative_url_templates.join("\n") ?? "");
  const rule = { pattern, url_template: template.trim() };
  const save = async () => {
    const whole = {
      ...rule,
      ...{ example_input: example, reverse_template: shortForm },
      alternative_url_templates: others.split(/\s+/).filter((one) => one !== ""),
    };
    if (linkifier) await api.patch(`/realm/filters/${linkifier.id}`, whole);
    else await api.post("/realm/filters", whole);
  };
  return (
    <Confirm
      title={linkifier ? t("Change the linkifier") : t("New linkifier")}
      action={linkifier ? t("Save") : t("Add")}
      width="normal"
      onConfirm={save}
      onClose={onClose}
    >
      <CodeField
        label={t("Pattern")}
        value={pattern}
        onChange={setPattern}
        hint={t("A regular expression as in Python, with named groups: {example}", {
          example: "#(?P<id>[0-9]+)",
        })}
      />
      <CodeField
        label={t("Address of the link")}
        inputMode="url"
        value={template}
        onChange={setTemplate}
        hint={t("With the groups in braces: {example}", { example: "https://example.com/issues/{id}" })}
      />
      <Trial rule={linkifier ? { ...rule, filter_id: linkifier.id } : rule} />
      <CodeField
        label={t("Example of a text")}
        value={example}
        onChange={setExample}
        hint={t("A text that becomes a link: {example}", { example: "#12" })}
      />
      <CodeField
        label={t("Short form")}
        value={shortForm}
        onChange={setShortForm}
        hint={t("What a pasted address becomes, with the groups in braces: {example}", { example: "#{id}" })}
      />
      <TextArea
        label={t("Other addresses")}
        dir="ltr"
        rows={2}
        inputMode="url"
        spellCheck={false}
        value={others}
        onChange={setOthers}
        hint={t("One on each line. They become the short form, too, when somebody pastes them.")}
      />
    </Confirm>
  );
}

/** The value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 400);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}

interface TrialProps {
  /** Tries this one alone; without it, all that are saved. */
  rule?: Pick<NewLinkifier, "pattern" | "url_template"> & { filter_id?: number };
}

/** A text to type, and the links that it would get, which the server finds as in a message. */
function Trial({ rule }: TrialProps) {
  const [text, setText] = useState("");
  const asked = useSettled({ text, ...rule });
  const isComplete =
    asked.text.trim() !== "" && (!rule || (asked.pattern !== "" && asked.url_template !== ""));
  const { value, problem, isLoading } = useLoaded<{ links: FoundLink[] }>(
    isComplete ? "/realm/linkifiers/trial" : null,
    { params: asked, renewOn: ["realm_linkifiers"] },
  );
  // What was found stays while the next answer is under way, so that nothing jumps.
  const [shown, setShown] = useState<{ links: readonly FoundLink[] | null; problem: string | null } | null>(
    null,
  );
  useEffect(() => {
    if (!isComplete) setShown(null);
    else if (!isLoading) setShown({ links: value?.links ?? null, problem });
  }, [isComplete, isLoading, value, problem]);
  return (
    <>
      <TextArea
        label={t("A text to try")}
        rows={2}
        maxLength={1000}
        value={text}
        onChange={setText}
        error={shown?.problem ?? undefined}
      />
      <div role="status">
        {shown?.links?.length === 0 ? (
          <p className={css.quiet}>{t("Nothing in this text becomes a link.")}</p>
        ) : null}
        {shown?.links && shown.links.length > 0 ? (
          <ul className={css.list} aria-label={t("Links in this text")}>
            {withoutRepeats(shown.links).map(({ text: match, url }) => (
              <li key={`${match} ${url}`} className={css.item}>
                <div className={css.itemText}>
                  <p>
                    <bdi>{match}</bdi>
                  </p>
                  <p className={css.quiet}>
                    <Address url={url} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </>
  );
}

const withoutRepeats = (links: readonly FoundLink[]): FoundLink[] => [
  ...new Map(links.map((link) => [`${link.text} ${link.url}`, link])).values(),
];

function Address({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <bdi dir="ltr">{url}</bdi>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
      {url}
    </a>
  );
}
