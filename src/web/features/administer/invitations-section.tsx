import { Link, Mail, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { isLoopback } from "@/text/links/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { collator, locale, t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { ownerRole } from "../../state/people.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { Many } from "../../ui/many.tsx";
import type { MenuAction } from "../../ui/menu-item.ts";
import { Table } from "../../ui/table.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { fixedTerms, makeLink, member, week } from "../organize/inviting.ts";
import css from "../organize/organize.module.css";

interface Invitation {
  id: number;
  invited_by_user_id: number;
  invited: number;
  invited_as: number;
  expiry_date: number | null;
  is_multiuse: boolean;
  email?: string;
  link_url?: string;
}

const roles = [
  { value: member, label: t("Members") },
  { value: 600, label: t("Guests") },
  { value: 300, label: t("Moderators") },
  { value: 200, label: t("Administrators") },
  { value: ownerRole, label: t("Owners") },
];
const validities = [
  { value: 1440, label: t("A day") },
  { value: week, label: t("A week") },
  { value: 43_200, label: duration(30 * 86_400) },
  { value: 0, label: t("For ever") },
];

const keyOf = ({ id, is_multiuse }: Invitation) => `${is_multiuse} ${id}`;
const nameOf = ({ email }: Invitation) => email ?? t("A link for anyone");
const dayOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: "medium" });

/** Copies a link, and says so; some only work on the machine on which they are opened. */
function copyLink(link: string): void {
  const notice = isLoopback(link)
    ? t(
        "Link copied. It only works on this machine: to invite others, open Confab at the address that they use.",
      )
    : t("Link copied.");
  void copyWithNotice(link, notice);
}

export function InvitationsSection() {
  const { api } = useClient();
  const mayLink = useSelect(mayMakeLinks);
  const mayAddress = useSelect(mayInvite);
  const isOwner = useSelect(({ self }) => self.is_owner);
  const users = useSelect((state) => state.users);
  const [making, setMaking] = useState<"link" | "addresses" | null>(null);
  const [revoking, setRevoking] = useState<{ all: readonly Invitation[]; unmark: () => void } | null>(null);
  const { value, problem, again } = useLoaded<{ invites: Invitation[] }>("/invites", {
    renewOn: ["invites_changed"],
  });
  // Anyone who has such a link could become an owner.
  const mayRevoke = ({ invited_as }: Invitation) => isOwner || invited_as !== ownerRole;
  const resend = ({ id }: Invitation) => {
    api.post(`/invites/${id}/resend`).then(() => {
      showToast({ text: t("Sent again.") });
      again();
    }, showFailure);
  };
  const inviterOf = ({ invited_by_user_id: id }: Invitation) => users[id]?.full_name ?? t("Somebody");
  const menuOf = (one: Invitation): MenuAction[] => [
    ...(one.link_url
      ? [{ label: t("Copy the link"), icon: Link, onSelect: () => copyLink(one.link_url ?? "") }]
      : []),
    ...(one.email && !one.link_url && mayAddress
      ? [{ label: t("Send it again"), icon: Send, onSelect: () => resend(one) }]
      : []),
    ...(mayRevoke(one)
      ? [
          {
            label: t("Revoke …"),
            icon: Trash2,
            danger: true,
            onSelect: () => setRevoking({ all: [one], unmark: () => {} }),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className={css.buttons}>
        {mayLink ? (
          <Button look="primary" onClick={() => setMaking("link")}>
            {t("Make a link")}
          </Button>
        ) : null}
        {mayAddress ? (
          <Button look={mayLink ? "plain" : "primary"} onClick={() => setMaking("addresses")}>
            {t("Invite by address")}
          </Button>
        ) : null}
      </div>
      <Table<Invitation>
        label={t("Open invitations")}
        rows={value?.invites ?? null}
        problem={problem}
        again={again}
        keyOf={keyOf}
        nameOf={nameOf}
        textOf={(one) => `${nameOf(one)} ${inviterOf(one)}`}
        columns={[
          {
            id: "who",
            title: t("Invited"),
            width: "minmax(0, 2fr)",
            show: (one) => <bdi>{nameOf(one)}</bdi>,
          },
          {
            id: "role",
            title: t("They join as"),
            show: ({ invited_as }) => roles.find((one) => one.value === invited_as)?.label ?? t("Members"),
            compare: (a, b) => a.invited_as - b.invited_as,
          },
          {
            id: "by",
            title: t("Invited by"),
            show: (one) => <bdi>{inviterOf(one)}</bdi>,
            compare: (a, b) => collator.compare(inviterOf(a), inviterOf(b)),
          },
          {
            id: "since",
            title: t("Since"),
            show: ({ invited }) => dayOf(invited),
            compare: (a, b) => a.invited - b.invited,
            inNarrow: false,
          },
          {
            id: "until",
            title: t("Until"),
            show: ({ expiry_date }) => (expiry_date === null ? t("For ever") : dayOf(expiry_date)),
            compare: (a, b) => (a.expiry_date ?? Infinity) - (b.expiry_date ?? Infinity),
          },
        ]}
        menuOf={menuOf}
        actions={(marked, unmark) => [
          {
            label: t("Revoke …"),
            icon: Trash2,
            danger: true,
            onSelect: () => setRevoking({ all: marked, unmark }),
          },
        ]}
        empty={
          <EmptyState icon={Mail} title={t("No open invitations")}>
            {t("Invited people are listed here until they join.")}
          </EmptyState>
        }
      />
      {making ? <NewInvitation kind={making} onMade={again} onClose={() => setMaking(null)} /> : null}
      {revoking ? (
        <Many<Invitation>
          title={t("{count, plural, one {Revoke # invitation?} other {Revoke # invitations?}}", {
            count: revoking.all.length,
          })}
          action={t("Revoke")}
          danger
          rows={revoking.all}
          keyOf={keyOf}
          nameOf={nameOf}
          run={({ id, is_multiuse }) =>
            api.delete(is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`)
          }
          onClose={() => {
            setRevoking(null);
            revoking.unmark();
            again();
          }}
        >
          <p>{t("Nobody can join by them any more.")}</p>
        </Many>
      ) : null}
    </>
  );
}

interface NewInvitationProps {
  kind: "link" | "addresses";
  onMade: () => void;
  onClose: () => void;
}

function NewInvitation({ kind, onMade, onClose }: NewInvitationProps) {
  const { api } = useClient();
  const ownRole = useSelect((state) => state.users[state.self.user_id]?.role ?? member);
  const [addresses, setAddresses] = useState("");
  const [role, setRole] = useState(member);
  const [validity, setValidity] = useState(week);
  const make = async () => {
    const terms = { invite_as: role, invite_expires_in_minutes: validity === 0 ? null : validity };
    if (kind === "link") await makeLink(api, terms);
    else {
      await api.post("/invites", { ...terms, ...fixedTerms, invitee_emails: addresses });
      showToast({ text: t("Invited.") });
    }
    onMade();
  };
  return (
    <Confirm
      title={kind === "link" ? t("A link to join") : t("Invite by address")}
      action={kind === "link" ? t("Make the link") : t("Invite")}
      onConfirm={make}
      onClose={onClose}
    >
      {kind === "addresses" ? (
        <TextArea
          label={t("Addresses")}
          dir="ltr"
          hint={t("Separated by commas or on lines of their own.")}
          value={addresses}
          onChange={setAddresses}
        />
      ) : null}
      <Select
        label={t("They join as")}
        value={role}
        choices={roles.filter(({ value }) => value >= ownRole)}
        onChange={setRole}
      />
      <Select label={t("It can be used for")} value={validity} choices={validities} onChange={setValidity} />
    </Confirm>
  );
}
