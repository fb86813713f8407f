// What is never taken back: erasing a person, and deleting all that somebody sent. Each says first what goes, and wants the name.
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Deletion, ErasurePreview, MessageChoice, SentThings } from "@/operations/erasing/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { type Loaded, useLoaded, useRenewed } from "../../../api/loaded.ts";
import { reasonOf } from "../../../api/request.ts";
import { formatBytes } from "../../../lib/amounts.ts";
import { listNames, locale, t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Radios, TextField } from "../../../ui/field.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import css from "./people.module.css";
import { PersonExport } from "./person-export.tsx";

const progressSeconds = 2;

interface EndingsProps {
  person: Person;
  isSelf: boolean;
  deletion: Loaded<Deletion>;
}

/** For those who may change the account. */
export function Endings({ person, isSelf, deletion }: EndingsProps) {
  const isUnderWay = (deletion.value?.under_way.length ?? 0) > 0;
  useRenewed(deletion, isUnderWay ? progressSeconds : null);
  return (
    <>
      {isUnderWay && deletion.value ? (
        <section className={css.group}>
          <h2 className={css.groupTitle}>{t("Under way")}</h2>
          <Stage deletion={deletion.value} />
        </section>
      ) : null}
      {isSelf ? null : <Sent person={person} onDone={deletion.again} />}
      {person.is_bot ? null : (
        <Erasing
          person={person}
          isSelf={isSelf}
          isErased={deletion.value?.is_erased === true}
          onDone={deletion.again}
        />
      )}
    </>
  );
}

interface EndingProps {
  person: Person;
  onDone: () => void;
}

function Sent({ person, onDone }: EndingProps) {
  // As they are called now: erasing takes the name.
  const [asked, setAsked] = useState<Person | null>(null);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Everything they sent")}</h2>
      <p className={css.quiet}>
        {t("For spam, and for an account that somebody took over. The account itself stays as it is.")}
      </p>
      <div className={css.buttons}>
        <Button look="danger" onClick={() => setAsked(person)}>
          {t("Delete everything they sent …")}
        </Button>
      </div>
      {asked ? <DeleteSent person={asked} onDone={onDone} onClose={() => setAsked(null)} /> : null}
    </section>
  );
}

interface ErasingProps extends EndingProps {
  isSelf: boolean;
  isErased: boolean;
}

function Erasing({ person, isSelf, isErased, onDone }: ErasingProps) {
  const isOwner = useSelect(({ self }) => self.is_owner);
  const [asked, setAsked] = useState<Person | null>(null);
  const refusal = !isOwner
    ? t("Only owners can erase people.")
    : isSelf
      ? t("You cannot erase yourself. Another owner of the organization can.")
      : null;
  return (
    <>
      {isErased ? null : (
        <section className={css.group}>
          <h2 className={css.groupTitle}>{t("Erasing")}</h2>
          <p className={css.quiet}>
            {t("For somebody who wants to be forgotten: all that says who they are goes for ever.")} {refusal}
          </p>
          {refusal === null ? (
            <div className={css.buttons}>
              <Button look="danger" onClick={() => setAsked(person)}>
                {t("Erase …")}
              </Button>
            </div>
          ) : null}
        </section>
      )}
      {/* It stays until all is gone, which may be long after the name. */}
      {asked ? <Erase person={asked} onDone={onDone} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

interface AskProps extends EndingProps {
  onClose: () => void;
}

function DeleteSent({ person, onDone, onClose }: AskProps) {
  const { user_id, full_name: name } = person;
  const sent = useLoaded<SentThings>(`/users/${user_id}/sent`);
  return (
    <Ending
      title={t("Delete everything that {name} sent?", { name })}
      action={t("Delete everything")}
      person={person}
      isReady={sent.value !== null}
      messages={sent.value === null ? 0 : countMessages(sent.value)}
      request={{ path: `/users/${user_id}/delete_messages` }}
      done={t("Everything that {name} sent is deleted.", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <Loading of={sent} lines={3}>
        {(found) => (
          <>
            <p>{t("For everyone and for ever, this deletes:")}</p>
            <List rows={sentRows(found)} none={t("They have sent nothing.")} />
            <BotsNamed
              bots={found.bots}
              wording={(names) => t("Also what their bots sent: {names}.", { names })}
            />
          </>
        )}
      </Loading>
    </Ending>
  );
}

function Erase({ person, onDone, onClose }: AskProps) {
  const { user_id, full_name: name } = person;
  const preview = useLoaded<ErasurePreview>(`/users/${user_id}/erasure`);
  const [messages, setMessages] = useState<MessageChoice>("keep");
  return (
    <Ending
      title={t("Erase {name} for ever?", { name })}
      action={t("Erase for ever")}
      person={person}
      isReady={preview.value !== null}
      messages={messages === "delete" && preview.value ? countMessages(preview.value) : 0}
      request={{ path: `/users/${user_id}/erase`, params: { messages } }}
      done={t("The person is erased.")}
      onDone={onDone}
      onClose={onClose}
    >
      <Loading of={preview} lines={8}>
        {(found) => (
          <>
            <div>
              <h3 className={css.groupTitle}>{t("What goes")}</h3>
              <List rows={goingRows(found)} />
            </div>
            <Radios
              legend={t("Their messages")}
              value={messages}
              choices={[
                {
                  value: "keep",
                  label: t("Stay, as those of “{name}”", { name: t("Deleted user") }),
                  hint: t("With their files and reactions."),
                },
                {
                  value: "delete",
                  label: t("Are deleted for everyone, too"),
                  hint: listNames(sentRows(found)) || t("They have sent nothing."),
                },
              ]}
              onChange={setMessages}
            />
            <BotsNamed
              bots={found.bots.filter(({ is_active }) => is_active)}
              wording={(names) => t("Their bots are deactivated: {names}.", { names })}
            />
            <div>
              <h3 className={css.groupTitle}>{t("What stays")}</h3>
              <List rows={stayingRows(found)} />
            </div>
            <div>
              <h3 className={css.groupTitle}>{t("Their data first")}</h3>
              <PersonExport person={person} isAgreed={found.agreed_to_export} />
            </div>
          </>
        )}
      </Loading>
    </Ending>
  );
}

function List({ rows, none }: { rows: readonly string[]; none?: string }) {
  if (rows.length === 0) return <p className={css.quiet}>{none}</p>;
  return (
    <ul className={css.points}>
      {rows.map((row) => (
        <li key={row}>{row}</li>
      ))}
    </ul>
  );
}

function BotsNamed({ bots, wording }: { bots: SentThings["bots"]; wording: (names: string) => string }) {
  if (bots.length === 0) return null;
  return <p>{wording(listNames(bots.map(({ full_name }) => full_name)))}</p>;
}

const countMessages = ({ messages }: SentThings) =>
  messages.public_channels + messages.private_channels + messages.direct;

/** "Drafts: 3", for each of which there are some. */
const counted = (rows: readonly (readonly [name: string, count: number])[]) =>
  rows.filter(([, count]) => count > 0).map(([name, count]) => t("{name}: {count, number}", { name, count }));

function sentRows({ messages, reactions, files, file_bytes }: SentThings): string[] {
  return [
    ...counted([
      [t("Messages in public channels"), messages.public_channels],
      [t("Messages in private channels"), messages.private_channels],
      [t("Direct messages"), messages.direct],
      [t("Reactions"), reactions],
    ]),
    ...(files > 0
      ? [t("Files: {count, number} ({size})", { count: files, size: formatBytes(file_bytes) })]
      : []),
  ];
}

function goingRows({ belongings: own, has_picture, has_status, unlinked_files }: ErasurePreview): string[] {
  return [
    t("Name and address, also where they are mentioned"),
    ...(has_picture ? [t("Picture")] : []),
    ...(has_status ? [t("Status")] : []),
    t("Settings, what they read and starred, when they were here"),
    ...counted([
      [t("Fields of the profile"), own.profile_values],
      [t("Drafts"), own.drafts],
      [t("Scheduled messages"), own.scheduled_messages],
      [t("Reminders"), own.reminders],
      [t("Snippets"), own.saved_snippets],
      [t("Keys and browsers that open the account"), own.keys + own.sessions],
      [t("Memberships in groups and channels"), own.groups + own.subscriptions],
      [t("Files that no message links to"), unlinked_files],
    ]),
  ];
}

const dayOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: "medium" });

function stayingRows({ oldest_backup, newest_backup, exports }: ErasurePreview): string[] {
  return [
    t("Direct messages that others sent them: they are those others’."),
    oldest_backup === null || newest_backup === null
      ? t("Backups that were made before, until they are deleted. None is known here.")
      : t("Backups that were made before, until they are deleted. Known ones are from {from} to {to}.", {
          from: dayOf(oldest_backup),
          to: dayOf(newest_backup),
        }),
    ...counted([[t("Finished exports, until they are deleted"), exports]]),
    t("The audit log, with the number of their account and without a name."),
  ];
}

interface EndingDialogProps {
  title: string;
  action: string;
  person: Person;
  /** False while it is not known what goes. */
  isReady: boolean;
  /** How many messages go. */
  messages: number;
  request: { path: string; params?: { messages: MessageChoice } };
  /** What a notice says once it is done. */
  done: string;
  children: ReactNode;
  onDone: () => void;
  onClose: () => void;
}

/** Says what goes, asks for the name, and shows how far it is. Closing it stops nothing. */
function Ending({
  title,
  action,
  person,
  isReady,
  messages,
  request,
  done,
  children,
  onDone,
  onClose,
}: EndingDialogProps) {
  const { api } = useClient();
  const [typed, setTyped] = useState("");
  const [isMissed, setMissed] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const isNamed = typed.trim().normalize() === person.full_name.normalize();
  const start = async () => {
    if (!isReady || isRunning) return;
    setMissed(!isNamed);
    if (!isNamed) return;
    setRunning(true);
    setProblem(null);
    try {
      let complete = false;
      while (!complete && isOpen.current)
        ({ complete } = await api.post<{ complete: boolean }>(request.path, request.params));
      if (complete) showToast({ text: done });
      onClose();
    } catch (error) {
      setProblem(reasonOf(error));
      setRunning(false);
    } finally {
      onDone();
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void start()}
      actions={
        isRunning ? (
          <Button onClick={onClose}>{t("Close")}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{t("Cancel")}</Button>
            <Button type="submit" look="danger" disabled={!isReady}>
              {action}
            </Button>
          </>
        )
      }
    >
      {isRunning ? (
        <Running user={person.user_id} messages={messages} />
      ) : (
        <>
          {children}
          {isReady ? (
            <TextField
              label={t("To confirm, type {name}", { name: person.full_name })}
              value={typed}
              autoComplete="off"
              error={isMissed && !isNamed ? t("This is not the name.") : undefined}
              onChange={setTyped}
            />
          ) : null}
        </>
      )}
      {problem === null ? null : (
        <p ref={takeFocus} tabIndex={-1} className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

/** For what takes the place of the part that had the focus. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

function Running({ user, messages }: { user: number; messages: number }) {
  const deletion = useRenewed(useLoaded<Deletion>(`/users/${user}/deletion`), progressSeconds);
  return (
    <div ref={takeFocus} tabIndex={-1} className={css.running}>
      <Stage deletion={deletion.value} messages={messages} isAnnounced />
      <p className={css.quiet}>{t("You may close this: the server goes on by itself.")}</p>
    </div>
  );
}

const stageWords: Record<Deletion["under_way"][number]["stage"], string> = {
  messages: t("Deleting messages"),
  reactions: t("Removing reactions"),
  mentions: t("Looking for mentions of the name"),
  files: t("Deleting files"),
  belongings: t("Deleting what was theirs alone"),
  reports: t("Taking the name out of reports"),
  audit: t("Taking the name out of the audit log"),
};

interface StageProps {
  deletion: Deletion | null;
  /** How many messages go, if that is known. */
  messages?: number;
  /** In a dialog: what is announced behind one keeps its page reachable. */
  isAnnounced?: boolean;
}

/** How far the server is. */
function Stage({ deletion, messages = 0, isAnnounced = false }: StageProps) {
  const under = deletion?.under_way ?? [];
  const done = under.reduce((sum, one) => sum + one.messages, 0);
  const stage = under[0]?.stage;
  const isCounted = stage === "messages" && messages > 0;
  return (
    <>
      <progress
        className={css.progress}
        aria-label={t("Progress")}
        {...(isCounted ? { max: messages, value: Math.min(done, messages) } : {})}
      />
      <p role={isAnnounced ? "status" : undefined}>
        {stage === undefined ? t("The server has begun …") : `${stageWords[stage]} …`}{" "}
        {done > 0 ? t("Messages deleted: {count, number}", { count: done }) : null}
      </p>
      {under.some(({ is_stuck }) => is_stuck) ? (
        <p className={css.problem} role="alert">
          {t("It does not go on now. The server tries again by itself; its checks say why.")}
        </p>
      ) : null}
    </>
  );
}
