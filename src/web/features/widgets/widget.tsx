// Polls and task lists inside a message.
import { Plus } from "lucide-react";
import { type FormEvent, useId, useMemo, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { listNames, parts, t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { nameOf } from "../../state/selectors.ts";
import { IconButton } from "../../ui/button.tsx";
import { Rich } from "../../ui/rich.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./widget.module.css";
import { nextIndex, type PollOption, type PollState, type TasksState, widgetOf } from "./widget-state.ts";

/** Null if the message is no widget; its text is shown then. */
export function useWidget({ submessages, sender_id }: Message): PollState | TasksState | null {
  return useMemo(
    () => (submessages.length === 0 ? null : widgetOf(submessages, sender_id)),
    [submessages, sender_id],
  );
}

export function Widget({ message, widget }: { message: Message; widget: PollState | TasksState }) {
  const { api } = useClient();
  const change = (content: object) => {
    const params = { message_id: message.id, msg_type: "widget", content: JSON.stringify(content) };
    api.post("/submessage", params).catch(showFailure);
  };
  return widget.kind === "poll" ? (
    <Poll poll={widget} change={change} />
  ) : (
    <Tasks list={widget} change={change} />
  );
}

type Changing = (content: object) => void;

function Poll({ poll, change }: { poll: PollState; change: Changing }) {
  const self = useSelect((state) => state.self.user_id);
  const voters = new Set(poll.options.flatMap((option) => option.voters)).size;
  const most = Math.max(1, ...poll.options.map((option) => option.voters.length));
  const add = (option: string) => {
    const idx = nextIndex(
      poll.options.map(({ key }) => key),
      self,
    );
    change({ type: "new_option", option, idx });
  };
  return (
    <section className={css.widget} aria-label={t("Poll: {question}", { question: poll.question })}>
      <p className={css.title}>
        <bdi>{poll.question || t("Poll")}</bdi>
      </p>
      <ul className={css.rows}>
        {poll.options.map((option) => (
          <PollRow
            key={option.key}
            option={option}
            share={option.voters.length / most}
            isOwn={option.voters.includes(self)}
            onVote={(vote) => change({ type: "vote", key: option.key, vote })}
          />
        ))}
      </ul>
      <Adding label={t("Add an option")} onAdd={add} />
      <p className={css.note}>
        {t("{count, plural, one {# person voted} other {# people voted}}", { count: voters })}
      </p>
    </section>
  );
}

interface PollRowProps {
  option: PollOption;
  share: number;
  isOwn: boolean;
  onVote: (vote: 1 | -1) => void;
}

function PollRow({ option, share, isOwn, onVote }: PollRowProps) {
  const { store } = useClient();
  const names = listNames(option.voters.map((id) => nameOf(store.get(), id)));
  const count = option.voters.length;
  return (
    <li>
      <button
        type="button"
        className={classes(css.option, isOwn && css.own)}
        aria-pressed={isOwn}
        data-tip={names || undefined}
        onClick={() => onVote(isOwn ? -1 : 1)}
      >
        <span className={css.bar} style={{ width: `${share * 100}%` }} aria-hidden="true" />
        <span className={css.text}>
          <bdi>{option.text}</bdi>
        </span>
        <span className={css.count}>
          <Rich
            parts={
              names
                ? parts(
                    "{count, plural, one {#<rest> vote: {names}</rest>} other {#<rest> votes: {names}</rest>}}",
                    { count, names },
                  )
                : parts("{count, plural, one {#<rest> vote</rest>} other {#<rest> votes</rest>}}", { count })
            }
            rest={(content) => <span className="visually-hidden">{content}</span>}
          />
        </span>
      </button>
    </li>
  );
}

function Tasks({ list, change }: { list: TasksState; change: Changing }) {
  const id = useId();
  const self = useSelect((state) => state.self.user_id);
  const done = list.tasks.filter(({ isDone }) => isDone).length;
  const add = (task: string) => {
    const key = nextIndex(
      list.tasks.map((one) => one.key),
      self,
    );
    const [name = "", ...note] = task.split(": ");
    change({ type: "new_task", key, task: name, desc: note.join(": "), completed: false });
  };
  return (
    <section className={css.widget} aria-label={t("List of tasks: {title}", { title: list.title })}>
      <p className={css.title}>
        <bdi>{list.title}</bdi>
      </p>
      <ul className={css.rows}>
        {list.tasks.map(({ key, task, note, isDone }) => (
          <li key={key} className={css.task}>
            <input
              id={`${id}-${key}`}
              type="checkbox"
              checked={isDone}
              onChange={() => change({ type: "strike", key })}
            />
            <label htmlFor={`${id}-${key}`} className={classes(isDone && css.done)}>
              <bdi>{task}</bdi>
              {note ? (
                <span className={css.note}>
                  {" "}
                  <bdi>{note}</bdi>
                </span>
              ) : null}
            </label>
          </li>
        ))}
      </ul>
      <Adding label={t("Add a task")} onAdd={add} />
      <p className={css.note}>
        {t("{done} of {count} done", { done: String(done), count: String(list.tasks.length) })}
      </p>
    </section>
  );
}

function Adding({ label, onAdd }: { label: string; onAdd: (text: string) => void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    onAdd(text.trim());
    setText("");
  };
  return (
    <form className={css.adding} onSubmit={submit}>
      <input
        className={css.field}
        aria-label={label}
        placeholder={label}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <IconButton type="submit" size="small" label={label} icon={Plus} disabled={text.trim() === ""} />
    </form>
  );
}
