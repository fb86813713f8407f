// A file with what a person has: for themselves, or before they are erased.
import { Download } from "lucide-react";
import { useState } from "react";
import type { ExportConsent } from "@/operations/export/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { formatBytes } from "../../../lib/amounts.ts";
import { t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { Button } from "../../../ui/button.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { showFailure, showToast } from "../../../ui/toasts.tsx";
import css from "./people.module.css";

/** For everybody who may change the account; only owners may export. */
export function DataGroup({ person }: { person: Person }) {
  const isOwner = useSelect(({ self }) => self.is_owner);
  const consents = useLoaded<{ export_consents: ExportConsent[] }>(
    isOwner ? "/export/realm/consents" : null,
    { params: { user_id: person.user_id }, renewOn: ["realm_export_consent"] },
  );
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Their data")}</h2>
      <p className={css.quiet}>
        {t("A file with all that is theirs: account, settings, messages, drafts. The server keeps no copy.")}{" "}
        {isOwner ? null : t("Only owners can export a person’s data.")}
      </p>
      {isOwner ? (
        <Loading of={consents} lines={2}>
          {({ export_consents: [consent] }) => (
            <PersonExport person={person} isAgreed={consent?.consented === true} />
          )}
        </Loading>
      ) : null}
    </section>
  );
}

interface PersonExportProps {
  person: Person;
  /** To the export of their private data. */
  isAgreed: boolean;
}

export function PersonExport({ person, isAgreed }: PersonExportProps) {
  return isAgreed ? <Export person={person} /> : <ExportCommand person={person} />;
}

function Export({ person: { user_id } }: { person: Person }) {
  const { api } = useClient();
  /** How much has come; null if nothing is on its way. */
  const [bytes, setBytes] = useState<number | null>(null);
  const download = async () => {
    setBytes(0);
    try {
      saveFile(`user-${user_id}.json`, await api.receive(`/users/${user_id}/export`, setBytes));
      showToast({ text: t("Their data is downloaded. The audit log says so.") });
    } catch (error) {
      showFailure(error);
    } finally {
      setBytes(null);
    }
  };
  return (
    <>
      <p className={css.quiet}>{t("They have agreed to the export of their private data.")}</p>
      <div className={css.buttons}>
        <Button icon={Download} busy={bytes !== null} onClick={() => void download()}>
          {t("Download their data")}
        </Button>
        {bytes === null ? null : (
          <span role="status">
            {bytes === 0
              ? t("The server writes the file …")
              : t("Received: {size}", { size: formatBytes(bytes) })}
          </span>
        )}
      </div>
    </>
  );
}

function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function ExportCommand({ person: { delivery_email, email } }: { person: Person }) {
  return (
    <>
      <p className={css.quiet}>
        {t(
          "They have not agreed to the export of their private data, so it cannot be downloaded here, not even by owners. Those who run the server have all data anyway. This command writes it to a file, and the audit log says so:",
        )}
      </p>
      <pre className={css.command} dir="ltr">
        <code>{`confab export user ${delivery_email ?? email} person.json`}</code>
      </pre>
      <p className={css.quiet}>
        {t("They can agree in their settings, under privacy, at “{setting}”.", {
          setting: t("My private messages, in an administrator's export"),
        })}
      </p>
    </>
  );
}
