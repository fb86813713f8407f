import { Suspense } from "react";
import { sameList, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Sectioned, type SettingsSection } from "../settings/sectioned.tsx";
import { type AdministerSection, sections } from "./sections.tsx";

interface OrganizationProps {
  section?: string | undefined;
  path?: readonly string[] | undefined;
}

/** The administration: the sections in which the person may do something, and what a link to another one says. */
export function Organization({ section, path = [] }: OrganizationProps) {
  const offered = useSelect((state) => sections.filter(({ may }) => may(state)), sameList);
  const shown = sections.flatMap((one): SettingsSection[] => {
    const isOffered = offered.includes(one);
    if (!isOffered && one.id !== section) return [];
    const { id, title, icon, group, width = "normal", Page, Mark, refusal } = one;
    const show = () =>
      isOffered ? (
        <Suspense
          fallback={
            <div aria-busy="true">
              <Skeleton lines={8} />
            </div>
          }
        >
          <Page path={path} />
        </Suspense>
      ) : (
        <Refusal icon={icon} refusal={refusal} />
      );
    // A place within it is no table, and as long as it needs.
    const shownWidth = path.length > 0 ? "normal" : width;
    return [{ id, title, icon, group, width: shownWidth, Mark, isListed: isOffered, show }];
  });
  return (
    <Sectioned
      title={t("Organization")}
      sections={shown}
      chosen={section}
      isWithin={path.length > 0}
      linkTo={(id) =>
        hashOf(id === undefined ? { view: "organization" } : { view: "organization", section: id })
      }
    />
  );
}

function Refusal({ icon, refusal }: Pick<AdministerSection, "icon" | "refusal">) {
  return (
    <EmptyState icon={icon} title={t("This is not open to you")}>
      {refusal}
    </EmptyState>
  );
}
