import { realmAreas } from "@/foundation/realm/descriptions.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { t } from "../../lib/texts.ts";
import { Switch, TextArea, TextField } from "../../ui/field.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { Failing } from "../../ui/loading.tsx";
import { showFailure } from "../../ui/toasts.tsx";
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
    labels: { name: t("Name"), description: t("Description") },
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
      {/* Last: it comes when it has loaded, and nothing is to move then. */}
      <TwoStepSwitch />
    </>
  );
}

interface Demand {
  required: boolean;
  people_without: number;
}

/** Whether people must use two-step sign-in; owners change it, administrators see it. */
function TwoStepSwitch() {
  const { api } = useClient();
  const isOwner = useSelect(({ self }) => self.is_owner);
  const { value: demand, problem, again, set: setDemand } = useLoaded<Demand>("/realm/two_step");
  if (problem !== null) return <Failing problem={problem} again={again} />;
  if (!demand) return null;
  const { required, people_without: count } = demand;
  const change = (wanted: boolean) => {
    setDemand({ ...demand, required: wanted });
    api.patch("/realm/two_step", { required: wanted }).catch((error: unknown) => {
      setDemand(demand);
      showFailure(error);
    });
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Signing in")}</h2>
      <Switch
        label={t("Everybody who signs in by password needs two-step sign-in")}
        hint={t(
          "Who has not set it up is led to it at their next sign-in. {count, plural, one {One person has not set it up.} other {# people have not set it up.}}",
          { count },
        )}
        checked={required}
        disabled={!isOwner}
        onChange={change}
      />
    </section>
  );
}
