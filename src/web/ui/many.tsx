// Does one thing with many rows: asks first, with the number; then shows how far it is, and what failed and why.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Refusal, reasonOf } from "../api/request.ts";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import css from "./many.module.css";

interface ManyProps<Row> {
  /** Names the number: "Deactivate 12 people?" */
  title: string;
  /** What happens then; fields that it takes. */
  children: ReactNode;
  /** The label of the confirming button: a verb. */
  action: string;
  danger?: boolean;
  /** False while a field has no value. */
  isReady?: boolean;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  nameOf: (row: Row) => string;
  run: (row: Row) => Promise<unknown>;
  onClose: () => void;
}

interface Failure {
  key: string | number;
  name: string;
  reason: string;
}

interface Progress {
  done: number;
  failed: readonly Failure[];
  isOver: boolean;
}

/** How many names the question shows. */
const maxNamed = 8;
/** How long a server that has had enough requests is left alone, if it does not say. */
const usualWait = 2_000;

/** Resolves after this time, or once it is stopped. */
function wait(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Runs it, and again once the server takes requests again; false if it is stopped before it has run. */
async function persist(run: () => Promise<unknown>, stop: AbortSignal): Promise<boolean> {
  while (!stop.aborted) {
    try {
      await run();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429) throw error;
      const seconds = Number(error.answer["retry-after"]);
      await wait(seconds > 0 ? seconds * 1000 : usualWait, stop);
    }
  }
  return false;
}

export function Many<Row>(props: ManyProps<Row>) {
  const {
    title,
    children,
    action,
    danger = false,
    isReady = true,
    rows,
    keyOf,
    nameOf,
    run,
    onClose,
  } = props;
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    if (progress || !isReady) return;
    const stopping = new AbortController();
    running.current = stopping;
    let done = 0;
    const failed: Failure[] = [];
    const tell = (isOver: boolean) => setProgress({ done, failed: [...failed], isOver });
    tell(false);
    for (const row of rows) {
      try {
        if (!(await persist(() => run(row), stopping.signal))) break;
        done++;
      } catch (error) {
        failed.push({ key: keyOf(row), name: nameOf(row), reason: reasonOf(error) });
      }
      tell(false);
    }
    if (failed.length === 0 && done === rows.length) onClose();
    else tell(true);
  };
  const isRunning = progress !== null && !progress.isOver;
  return (
    <Dialog
      title={title}
      width="small"
      onClose={onClose}
      onSubmit={() => void start()}
      actions={
        progress === null ? (
          <>
            <Button onClick={onClose}>{t("Cancel")}</Button>
            <Button type="submit" look={danger ? "danger" : "primary"} disabled={!isReady}>
              {action}
            </Button>
          </>
        ) : isRunning ? (
          <Button onClick={() => running.current?.abort()}>{t("Stop")}</Button>
        ) : (
          <Button onClick={onClose}>{t("Close")}</Button>
        )
      }
    >
      {progress === null ? (
        <>
          {children}
          <Names rows={rows} keyOf={keyOf} nameOf={nameOf} />
        </>
      ) : (
        <Outcome progress={progress} total={rows.length} />
      )}
    </Dialog>
  );
}

function Names<Row>({ rows, keyOf, nameOf }: Pick<ManyProps<Row>, "rows" | "keyOf" | "nameOf">) {
  const rest = rows.length - maxNamed;
  return (
    <ul className={css.names}>
      {rows.slice(0, maxNamed).map((row) => (
        <li key={keyOf(row)}>
          <bdi>{nameOf(row)}</bdi>
        </li>
      ))}
      {rest > 0 ? (
        <li>{t("{count, plural, one {and # other} other {and # others}}", { count: rest })}</li>
      ) : null}
    </ul>
  );
}

function Outcome({ progress: { done, failed, isOver }, total }: { progress: Progress; total: number }) {
  const left = total - done - failed.length;
  return (
    <>
      <progress
        className={css.progress}
        max={total}
        value={done + failed.length}
        aria-label={t("Progress")}
      />
      <p role="status">
        {t("{done, number} of {total, number} done", { done, total })}
        {isOver && left > 0 ? (
          <>
            {" "}
            {t("{count, plural, one {# is left as it was.} other {# are left as they were.}}", {
              count: left,
            })}
          </>
        ) : null}
      </p>
      {failed.length > 0 ? (
        <>
          <h3 className={css.title}>
            {t("{count, plural, one {# failed:} other {# failed:}}", { count: failed.length })}
          </h3>
          <ul className={css.failed}>
            {failed.map(({ key, name, reason }) => (
              <li key={key}>
                <bdi>{name}</bdi> <span className={css.reason}>{reason}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  );
}
