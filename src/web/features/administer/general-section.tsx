import { realmAreas, realmWords } from "@/foundation/realm/descriptions.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { Preview } from "../compose/preview.tsx";
import { IconUpload } from "../organize/icon-upload.tsx";
import css from "../organize/organize.module.css";
import { GroupsLead, RealmSettings } from "./settings-sections.tsx";

const generalAreas = realmAreas.filter(({ page }) => page === "general");

export function GeneralSection() {
  const { api } = useClient();
  const { realm_name, realm_description, realm_icon_url } = useSelect((state) => state.organization);
  const mayChange = useSelect(({ self }) => self.is_admin);
  const form = useForm({
    saved: { name: realm_name, description: realm_description },
    labels: { name: t(realmWords.name.about), description: t(realmWords.description.about) },
    save: (changed) => api.patch("/realm", changed),
  });
  if (!mayChange) {
    return (
      <>
        <section className={css.group}>
          <h2 className={css.groupTitle}>{realm_name}</h2>
          {realm_description === "" ? null : (
            <div className={css.description}>
              <Preview text={realm_description} />
            </div>
          )}
          <p className={css.quiet}>{t("Only administrators can change this.")}</p>
        </section>
        <GroupsLead />
      </>
    );
  }
  return (
    <>
      <Form form={form}>
        <TextField {...form.field("name")} maxLength={40} />
        <TextArea {...form.field("description")} maxLength={1000} />
      </Form>
      <section className={css.group}>
        <h2 className={css.groupTitle}>{t("Picture")}</h2>
        <img src={realm_icon_url} alt="" width={64} height={64} />
        <div className={css.buttons}>
          <IconUpload />
        </div>
      </section>
      <RealmSettings areas={generalAreas} without={["name", "description"]} />
      <GroupsLead />
    </>
  );
}
