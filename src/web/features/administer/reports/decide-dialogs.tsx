import { useState } from "react";
import type { Report, ReportDetails } from "@/messaging/reports/schema.ts";
import { useClient } from "../../../api/client.ts";
import type { Api } from "../../../api/request.ts";
import { t } from "../../../lib/texts.ts";
import { nameOf } from "../../../state/selectors.ts";
import { Confirm } from "../../../ui/dialog.tsx";
import { Checkbox, TextArea } from "../../../ui/field.tsx";
import { Many } from "../../../ui/many.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { whatDeactivatingDoes } from "../people/many-people.tsx";
import css from "./reports.module.css";

const maxCharacters = 1000;

interface DecideProps {
  report: ReportDetails;
  onClose: () => void;
}

/** Asks what is to be done, and does it. */
export function HandleDialog({ report, name, onClose }: DecideProps & { name: string }) {
  const { api } = useClient();
  const [isDeleting, setDeleting] = useState(false);
  const [isWarning, setWarning] = useState(false);
  const [isDeactivating, setDeactivating] = useState(false);
  const [warning, setText] = useState(t("Please keep to the customs of our organization."));
  const [note, setNote] = useState("");
  const may = new Set(report.possible_acts);
  const doesSomething = isDeleting || isWarning || isDeactivating;
  const handle = async () => {
    // Without a word, nothing would be sent.
    if (isWarning && warning.trim() === "") throw new Error(t("Please write what the warning says."));
    await api.patch(`/reports/${report.id}`, {
      is_handled: true,
      delete_message: isDeleting,
      deactivate_sender: isDeactivating,
      warning: isWarning ? warning : "",
      note,
    });
    showToast({ text: t("The report is handled.") });
  };
  return (
    <Confirm
      title={t("Handle this report")}
      action={t("Mark as handled")}
      danger={isDeleting || isDeactivating}
      width="normal"
      onConfirm={handle}
      onClose={onClose}
    >
      {may.has("delete_message") ? (
        <Checkbox
          label={t("Delete the message for everyone")}
          hint={t("It cannot be brought back.")}
          checked={isDeleting}
          onChange={setDeleting}
        />
      ) : null}
      {may.has("warn_sender") ? (
        <Checkbox
          label={t("Warn {name}", { name })}
          hint={t(
            "By a direct message of the Notification Bot, with the message; it does not say who reported it.",
          )}
          checked={isWarning}
          onChange={setWarning}
        />
      ) : null}
      {isWarning ? (
        <TextArea
          label={t("What the warning says")}
          maxLength={maxCharacters}
          value={warning}
          onChange={setText}
          required
        />
      ) : null}
      {may.has("deactivate_sender") ? (
        <Checkbox
          label={t("Deactivate the account of {name}", { name })}
          hint={whatDeactivatingDoes}
          checked={isDeactivating}
          onChange={setDeactivating}
        />
      ) : null}
      <TextArea
        label={t("Note for other moderators")}
        maxLength={maxCharacters}
        value={note}
        onChange={setNote}
      />
      {doesSomething && report.open_others > 0 ? (
        <p>
          {t(
            "{count, plural, one {# other open report of this message is handled, too.} other {# other open reports of this message are handled, too.}}",
            { count: report.open_others },
          )}
        </p>
      ) : null}
      <p className={css.quiet}>
        {t("Who reported it hears whether something was done, but not what or by whom.")}
      </p>
    </Confirm>
  );
}

const dismissOne = (api: Api, { id }: Pick<Report, "id">, note: string) =>
  api.patch(`/reports/${id}`, { is_handled: true, is_dismissed: true, note });

/** Asks why nothing is to be done. */
export function DismissDialog({ report, onClose }: DecideProps) {
  const { api } = useClient();
  const [note, setNote] = useState("");
  const dismiss = async () => {
    await dismissOne(api, report, note);
    showToast({ text: t("The report is dismissed.") });
  };
  return (
    <Confirm
      title={t("Dismiss this report")}
      action={t("Dismiss|a report")}
      onConfirm={dismiss}
      onClose={onClose}
    >
      <Why note={note} onChange={setNote} />
    </Confirm>
  );
}

/** The same for several, for one reason. */
export function DismissMany({ reports, onClose }: { reports: readonly Report[]; onClose: () => void }) {
  const { api, store } = useClient();
  const [note, setNote] = useState("");
  return (
    <Many
      title={t("{count, plural, one {Dismiss # report} other {Dismiss # reports}}", {
        count: reports.length,
      })}
      action={t("Dismiss|a report")}
      isReady={note.trim() !== ""}
      rows={reports}
      keyOf={({ id }) => id}
      nameOf={({ excerpt, reported_id }) =>
        excerpt === "" ? t("Message of {name}", { name: nameOf(store.get(), reported_id) }) : excerpt
      }
      run={(one) => dismissOne(api, one, note)}
      onClose={onClose}
    >
      <Why note={note} onChange={setNote} />
    </Many>
  );
}

function Why({ note, onChange }: { note: string; onChange: (to: string) => void }) {
  return (
    <>
      <TextArea
        label={t("Why nothing is to be done")}
        hint={t("Only moderators read this.")}
        maxLength={maxCharacters}
        value={note}
        onChange={onChange}
        required
      />
      <p className={css.quiet}>{t("Who reported it hears that nothing was done, but not why or by whom.")}</p>
    </>
  );
}
