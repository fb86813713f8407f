// The fields of people's profiles: their list and order, and what goes with one before it is deleted.
import { IdCard, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { FieldUse, ProfileField } from "@/foundation/profile-fields/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loading } from "../../ui/loading.tsx";
import { goTo } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import css from "../organize/organize.module.css";
import type { SectionProps } from "../settings/sectioned.tsx";
import { Ordered } from "./ordered.tsx";
import { FieldForm, typeName } from "./profile-field-form.tsx";

const listLink = hashOf({ view: "organization", section: "profile-fields" });
const linkTo = (id: number | "new") =>
  hashOf({ view: "organization", section: "profile-fields", path: [String(id)] });

export function ProfileFieldsSection({ path: [place] }: SectionProps) {
  const fields = useSelect(({ organization }) => organization.custom_profile_fields);
  if (place === undefined) return <FieldList fields={fields} />;
  const field = fields.find(({ id }) => String(id) === place);
  return (
    <>
      <a className={css.back} href={listLink}>
        {t("All profile fields")}
      </a>
      {field || place === "new" ? (
        <FieldForm key={place} field={field ?? null} back={listLink} />
      ) : (
        <EmptyState icon={IdCard} title={t("There is no such profile field")} />
      )}
    </>
  );
}

function FieldList({ fields }: { fields: readonly ProfileField[] }) {
  const { api } = useClient();
  const [deleting, setDeleting] = useState<ProfileField | null>(null);
  return (
    <section className={css.group}>
      <p className={css.quiet}>
        {t("What people say of themselves in their settings. Others read it on their card.")}
      </p>
      <div className={css.buttons}>
        <Button look="primary" icon={Plus} onClick={() => goTo(linkTo("new"))}>
          {t("Add a profile field")}
        </Button>
      </div>
      {fields.length === 0 ? <EmptyState icon={IdCard} title={t("No profile fields yet")} /> : null}
      <Ordered
        label={t("Profile fields")}
        rows={fields}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        onOrder={(rows) => api.patch("/realm/profile_fields", { order: rows.map(({ id }) => id) })}
        actions={(field) => (
          <IconButton
            size="small"
            icon={Trash2}
            label={t("Delete {name}", { name: field.name })}
            onClick={() => setDeleting(field)}
          />
        )}
      >
        {(field) => (
          <>
            <p>
              <a href={linkTo(field.id)}>
                <bdi>{field.name}</bdi>
              </a>
            </p>
            <p className={css.quiet}>{typeName(field.type)}</p>
          </>
        )}
      </Ordered>
      {deleting ? <Deleting field={deleting} onClose={() => setDeleting(null)} /> : null}
    </section>
  );
}

function Deleting({ field: { id, name }, onClose }: { field: ProfileField; onClose: () => void }) {
  const { api } = useClient();
  const use = useLoaded<FieldUse>(`/realm/profile_fields/${id}/use`);
  return (
    <Confirm
      title={t("Delete {name}?", { name })}
      action={t("Delete")}
      danger
      onConfirm={() => api.delete(`/realm/profile_fields/${id}`)}
      onClose={onClose}
    >
      <Loading of={use} lines={1}>
        {({ people }) => (
          <p>
            {people === 0
              ? t("Nobody has filled it in.")
              : t(
                  "{count, plural, one {# person has filled it in: that is deleted for good.} other {# people have filled it in: all of that is deleted for good.}}",
                  { count: people },
                )}
          </p>
        )}
      </Loading>
    </Confirm>
  );
}
