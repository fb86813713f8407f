// Exports of the organization's data: what was made, by whom, and a new one.
import { useState } from "react";
import type * as schema from "@/operations/export/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { t } from "../../lib/texts.ts";
import { fullTime } from "../../lib/times.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Radios } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import css from "../organize/organize.module.css";

const exportTypes: typeof schema.exportTypes = { public: "public", standard: "full_with_consent" };

export function ExportsSection() {
  const { api } = useClient();
  const list = useLoaded<{ exports: schema.RealmExport[] }>("/export/realm", { renewOn: ["realm_export"] });
  const [isStarting, setStarting] = useState(false);
  const [deleting, setDeleting] = useState<schema.RealmExport | null>(null);
  return (
    <section className={css.group}>
      <p className={css.quiet}>
        {t("An export holds the organization’s data in one file, as it is at one moment.")}
      </p>
      <div className={css.buttons}>
        <Button look="primary" onClick={() => setStarting(true)}>
          {t("Start an export")}
        </Button>
      </div>
      <Loading of={list}>
        {({ exports }) =>
          exports.length === 0 ? (
            <p className={css.quiet}>{t("No exports yet")}</p>
          ) : (
            <ul className={css.list}>
              {exports.toReversed().map((one) => (
                <ExportRow key={one.id} one={one} onDelete={() => setDeleting(one)} />
              ))}
            </ul>
          )
        }
      </Loading>
      {isStarting ? <NewExport onMade={list.again} onClose={() => setStarting(false)} /> : null}
      {deleting ? (
        <Confirm
          title={t("Delete this export?")}
          action={t("Delete")}
          danger
          onConfirm={async () => {
            await api.delete(`/export/realm/${deleting.id}`);
            list.again();
          }}
          onClose={() => setDeleting(null)}
        >
          <p>{t("Its file is deleted for good. The organization itself stays as it is.")}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function wordState({ pending, failed_timestamp, deleted_timestamp }: schema.RealmExport): string {
  if (pending) return t("being written …");
  if (failed_timestamp !== null) return t("failed|export");
  return deleted_timestamp === null ? t("ready|export") : t("deleted|export");
}

function ExportRow({ one, onDelete }: { one: schema.RealmExport; onDelete: () => void }) {
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const name = useSelect(({ users }) => users[one.acting_user_id]?.full_name) ?? t("Somebody");
  const kind =
    one.export_type === exportTypes.public ? t("Public data") : t("Public and agreed private data");
  const time = fullTime(one.export_time, isTwentyFour);
  return (
    <li className={css.item}>
      <span className={css.itemText}>
        {kind}
        <span className={css.quiet}>
          {" "}
          <span role="status">{wordState(one)}</span> · {name} · {time}
        </span>
      </span>
      {one.export_url === null ? null : (
        <>
          {/* Its path, at the address by which the page itself was opened. */}
          <a href={new URL(one.export_url, location.href).pathname} download>
            {t("Download")}
          </a>
          <Button size="small" aria-label={t("Delete the export of {time}", { time })} onClick={onDelete}>
            {t("Delete")}
          </Button>
        </>
      )}
    </li>
  );
}

function NewExport({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const { api } = useClient();
  const [type, setType] = useState<schema.RealmExport["export_type"]>(exportTypes.public);
  const consents = useLoaded<{ export_consents: { consented: boolean }[] }>("/export/realm/consents", {
    renewOn: ["realm_export_consent"],
  });
  return (
    <Confirm
      title={t("Start an export")}
      action={t("Start an export")}
      onConfirm={async () => {
        await api.post("/export/realm", { export_type: type });
        onMade();
      }}
      onClose={onClose}
    >
      <Loading of={consents} lines={3}>
        {({ export_consents: all }) => (
          <Radios
            legend={t("What it holds")}
            value={type}
            choices={[
              {
                value: exportTypes.public,
                label: t("Public data"),
                hint: t("Without private channels and direct messages."),
              },
              {
                value: exportTypes.standard,
                label: t("Public and agreed private data"),
                hint: t(
                  "{agreed, number} of {count, plural, one {# person has} other {# people have}} agreed to it in their settings.",
                  {
                    agreed: all.filter(({ consented }) => consented).length,
                    count: all.length,
                  },
                ),
              },
            ]}
            onChange={setType}
          />
        )}
      </Loading>
    </Confirm>
  );
}
