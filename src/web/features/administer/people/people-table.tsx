import { Users } from "lucide-react";
import { useMemo, useState } from "react";
import type { SignIn } from "@/foundation/login/schema.ts";
import { sameList, useSelect } from "../../../api/client.ts";
import { useKept } from "../../../lib/kept.ts";
import { collator, t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Select } from "../../../ui/field.tsx";
import { hashOf } from "../../../ui/routes/route.ts";
import { type Column, Table } from "../../../ui/table.tsx";
import { roleName, roles } from "../../people/facts.tsx";
import { AccountName, activityColumn } from "./account.tsx";
import { type ManyAct, ManyPeople, manyActs } from "./many-people.tsx";
import { type SignIns, useSignIns, waysOf } from "./sign-ins.ts";

interface Row {
  person: Person;
  /** Absent until it has come, and for those who do not administer. */
  signIn: SignIn | undefined;
}

const kinds = [
  { value: "active", label: t("Active people") },
  { value: "deactivated", label: t("Deactivated") },
  { value: "bots", label: t("Bots") },
  { value: "all", label: t("Everybody") },
] as const;
type Kind = (typeof kinds)[number]["value"];

const isOfKind: Record<Kind, (person: Person) => boolean> = {
  active: ({ is_active, is_bot }) => is_active && !is_bot,
  deactivated: ({ is_active }) => !is_active,
  bots: ({ is_active, is_bot }) => is_active && is_bot,
  all: () => true,
};

const nameColumn: Column<Row> = {
  id: "name",
  title: t("Name"),
  width: "minmax(0, 2fr)",
  show: ({ person }) => <AccountName account={person} />,
  compare: (a, b) => collator.compare(a.person.full_name, b.person.full_name),
};

const roleColumn: Column<Row> = {
  id: "role",
  title: t("Role"),
  width: "minmax(110px, 1fr)",
  show: ({ person }) => roleName(person),
  compare: (a, b) => a.person.role - b.person.role,
};

const addressColumn: Column<Row> = {
  id: "address",
  title: t("Email"),
  width: "minmax(0, 2fr)",
  show: ({ person }) => <span dir="ltr">{person.delivery_email ?? ""}</span>,
  inNarrow: false,
};

const signInColumns: readonly Column<Row>[] = [
  activityColumn,
  {
    id: "two-step",
    title: t("Two-step sign-in"),
    show: ({ signIn, person }) => (person.is_bot || !signIn ? "" : signIn.has_two_step ? t("On") : t("Off")),
    compare: (a, b) => Number(b.signIn?.has_two_step ?? false) - Number(a.signIn?.has_two_step ?? false),
    inNarrow: false,
  },
  {
    id: "ways",
    title: t("Signs in by"),
    show: ({ signIn }) => (signIn ? waysOf(signIn) : ""),
    inNarrow: false,
  },
];

function useRows(signIns: SignIns): readonly Row[] {
  const users = useSelect((state) => state.users);
  return useMemo(
    () =>
      Object.values(users)
        .filter(({ is_system_bot }) => !is_system_bot)
        .map((person) => ({ person, signIn: signIns.get(person.user_id) }))
        .sort((a, b) => collator.compare(a.person.full_name, b.person.full_name)),
    [users, signIns],
  );
}

export function PeopleTable() {
  const { is_admin: isAdmin, user_id: self } = useSelect((state) => state.self);
  const { signIns, problem, again } = useSignIns(isAdmin);
  const all = useRows(signIns);
  const [kind, setKind] = useKept<Kind>("people kind", "active");
  const [role, setRole] = useKept("people role", 0);
  const [doing, setDoing] = useState<{ act: ManyAct; people: readonly Person[] } | null>(null);
  const rows = useMemo(
    () => all.filter(({ person }) => isOfKind[kind](person) && (role === 0 || person.role === role)),
    [all, kind, role],
  );
  const possible = useSelect(manyActs, sameList);
  return (
    <>
      {problem === null ? null : (
        <Banner
          look="warn"
          action={
            <Button size="small" onClick={again}>
              {t("Try again")}
            </Button>
          }
        >
          {t("How people sign in could not be loaded.")} {problem}
        </Banner>
      )}
      <Table<Row>
        label={t("People")}
        rows={rows}
        keyOf={({ person }) => person.user_id}
        nameOf={({ person }) => person.full_name}
        textOf={({ person }) => `${person.full_name} ${person.delivery_email ?? person.email}`}
        columns={[nameColumn, roleColumn, addressColumn, ...(isAdmin ? signInColumns : [])]}
        linkOf={({ person }) =>
          hashOf({ view: "organization", section: "people", path: [String(person.user_id)] })
        }
        actions={(marked) =>
          possible.map((act) => {
            const people = marked
              .map(({ person }) => person)
              .filter(({ user_id }) => !act.isForOthers || user_id !== self);
            return {
              label: act.label,
              icon: act.icon,
              danger: act.danger ?? false,
              disabled: people.length === 0,
              onSelect: () => setDoing({ act, people }),
            };
          })
        }
        filters={
          <>
            <Select label={t("Show")} quietLabel value={kind} choices={kinds} onChange={setKind} />
            <Select
              label={t("Role")}
              quietLabel
              value={role}
              choices={[{ value: 0, label: t("All roles") }, ...roles]}
              onChange={setRole}
            />
          </>
        }
        empty={<EmptyState icon={Users} title={t("Nobody found")} />}
      />
      {doing ? <ManyPeople {...doing} onClose={() => setDoing(null)} /> : null}
    </>
  );
}
