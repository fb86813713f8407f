import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { retention as channelRetention } from "@/places/channels/schema.ts";
import { updateRealm } from "../changes/organization.ts";
import { updateChannel } from "../changes/places.ts";
import { toChannel } from "../jumps.ts";
import { allChannels } from "../names.ts";
import { changeForm, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { changingRetention, deletionField } from "../shorter-retention.ts";

interface Row {
  /** Null for the organization as a whole. */
  channel: { id: number; name: string } | null;
  days: number | null;
  /** The days that apply; negative means for ever. */
  effective: number;
}

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const general = realmSettings.read(now).message_retention_days;
  const channels = allChannels(now).map(
    ({ stream_id: id, name, message_retention_days: days }): Row => ({
      channel: { id, name },
      days,
      effective: days ?? general,
    }),
  );
  return [{ channel: null, days: general, effective: general }, ...channels];
}

const daysText = (days: number) => (days < 0 ? "for ever" : days === 1 ? "1 day" : `${days} days`);
const nameOf = ({ channel }: Row) => channel?.name ?? "The organization";

/** "for ever", "as the organization", or a number of days. */
function readDays(_: Ctx, text: string): number | string {
  const words = text.trim().toLowerCase();
  if (words === "for ever" || words === "forever") return "unlimited";
  if (words === "as the organization" || words === "") return "realm_default";
  return Number(/^\d+/.exec(words)?.[0] ?? Number.NaN);
}

function edit(_: Ctx, row: Row): ScreenForm {
  const { channel, days } = row;
  const general = {
    label: "Kept",
    about:
      "A number of days, or 'for ever'. What is older is deleted in a day, and cannot be restored after that.",
    rule: realmSettings.table.message_retention_days.rule,
    choices: ["for ever", "30 days", "90 days", "365 days"],
    open: true,
    read: (ctx: Ctx, text: string) => {
      const found = readDays(ctx, text);
      return found === "unlimited" ? -1 : found;
    },
    start: daysText(days ?? -1),
  };
  if (!channel)
    return changeForm({
      title: "How long messages are kept",
      fields: { message_retention_days: general, deletion: deletionField },
      async submit(ctx, { deletion, ...changes }) {
        const shortened = { channel_id: null, days: changes.message_retention_days, deletion };
        await changingRetention(ctx, shortened, () => updateRealm(ctx, changes));
        return { message: "Changed how long messages are kept." };
      },
    });
  return changeForm({
    title: `How long messages in ${channel.name} are kept`,
    fields: {
      message_retention_days: {
        ...general,
        about: `${general.about} Or 'as the organization'.`,
        rule: channelRetention,
        choices: ["as the organization", ...general.choices],
        read: readDays,
        start: days === null ? "as the organization" : daysText(days),
      },
      deletion: deletionField,
    },
    async submit(ctx, { deletion, ...changes }) {
      const shortened = { channel_id: channel.id, days: changes.message_retention_days, deletion };
      await changingRetention(ctx, shortened, () =>
        updateChannel(ctx, { channel_id: channel.id, ...changes }),
      );
      return { message: `Changed how long messages in ${channel.name} are kept.` };
    },
  });
}

export const retention = screen<Row>({
  key: "T",
  title: "Retention",
  area: "Organization",
  about: "how long messages are kept",
  empty: "",
  rows,
  id: ({ channel }) => channel?.id ?? "organization",
  name: nameOf,
  copies: (row) => daysText(row.effective),
  columns: [
    { title: "WHERE", value: nameOf, grow: true, tone: ({ channel }) => (channel ? "plain" : "title") },
    { title: "KEPT", value: ({ effective }) => daysText(effective), order: ({ effective }) => effective },
    {
      title: "DECIDED BY",
      value: ({ channel, days }) => (channel && days !== null ? "the channel" : "the organization"),
    },
  ],
  facts: (_, row) => [
    ["Where", nameOf(row), toChannel(row.channel?.id)],
    ["Kept", daysText(row.effective)],
    ["Decided by", row.channel && row.days !== null ? "the channel" : "the organization"],
  ],
  edit,
});
