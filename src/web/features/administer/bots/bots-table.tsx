import { Bot as BotIcon } from "lucide-react";
import { useMemo } from "react";
import type { SignIn } from "@/foundation/login/schema.ts";
import { useSelect } from "../../../api/client.ts";
import { useKept } from "../../../lib/kept.ts";
import { collator, t } from "../../../lib/texts.ts";
import { botsIn, type OwnedBot } from "../../../state/selectors.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Select } from "../../../ui/field.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { AccountName, activityColumn } from "../people/account.tsx";
import { useSignIns } from "../people/sign-ins.ts";
import { botLink, typeName, typeNames } from "./bots.ts";

interface Row {
  bot: OwnedBot;
  owner: string;
  /** Absent until it has come, and for those who do not administer. */
  signIn: SignIn | undefined;
}

const kinds = [
  { value: "active", label: t("Active") },
  { value: "deactivated", label: t("Deactivated") },
  { value: "all", label: t("All") },
] as const;
type Kind = (typeof kinds)[number]["value"];

const columns: readonly Column<Row>[] = [
  {
    id: "name",
    title: t("Name"),
    width: "minmax(0, 2fr)",
    show: ({ bot }) => <AccountName account={bot} />,
    compare: (a, b) => collator.compare(a.bot.full_name, b.bot.full_name),
  },
  {
    id: "type",
    title: t("Type|of a bot"),
    show: ({ bot }) => typeName(bot),
    compare: (a, b) => collator.compare(typeName(a.bot), typeName(b.bot)),
  },
  {
    id: "owner",
    title: t("Owner|of a bot"),
    show: ({ owner }) => <bdi>{owner}</bdi>,
    compare: (a, b) => collator.compare(a.owner, b.owner),
  },
];

/** The bots that the person may change. */
export function BotsTable() {
  const isAdmin = useSelect(({ self }) => self.is_admin);
  const bots = useSelect(botsIn);
  const users = useSelect((state) => state.users);
  const { signIns } = useSignIns(isAdmin);
  const [kind, setKind] = useKept<Kind>("bots kind", "active");
  const [type, setType] = useKept("bots type", 0);
  const rows = useMemo(
    () =>
      Object.values(bots)
        .filter(({ is_active }) => kind === "all" || is_active === (kind === "active"))
        .filter(({ bot_type }) => type === 0 || bot_type === type)
        .map((bot) => ({
          bot,
          owner: bot.owner_id === null ? "" : (users[bot.owner_id]?.full_name ?? ""),
          signIn: signIns.get(bot.user_id),
        }))
        .sort((a, b) => collator.compare(a.bot.full_name, b.bot.full_name)),
    [bots, users, signIns, kind, type],
  );
  return (
    <Table<Row>
      label={t("Bots")}
      rows={rows}
      keyOf={({ bot }) => bot.user_id}
      nameOf={({ bot }) => bot.full_name}
      textOf={({ bot, owner }) => `${bot.full_name} ${bot.email} ${owner}`}
      columns={isAdmin ? [...columns, activityColumn] : columns}
      linkOf={({ bot }) => botLink(bot.user_id)}
      filters={
        <>
          <Select label={t("Show")} quietLabel value={kind} choices={kinds} onChange={setKind} />
          <Select
            label={t("Type|of a bot")}
            quietLabel
            value={type}
            choices={[{ value: 0, label: t("All types") }, ...typeNames]}
            onChange={setType}
          />
        </>
      }
      empty={<EmptyState icon={BotIcon} title={t("No bots")} />}
    />
  );
}
