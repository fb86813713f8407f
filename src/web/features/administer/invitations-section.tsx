import { useCallback, useEffect, useState } from "react";
import { isLoopback } from "@/text/links/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { locale, t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { fixedTerms, makeLink, member, week } from "../organize/inviting.ts";
import css from "../organize/organize.module.css";

interface Invitation {
  id: number;
  invited_as: number;
  expiry_date: number | null;
  is_multiuse: boolean;
  email?: string;
  link_url?: string;
}

const owner = 100;
const roles = [
  { value: member, label: t("Members") },
  { value: 600, label: t("Guests") },
  { value: 300, label: t("Moderators") },
  { value: 200, label: t("Administrators") },
  { value: owner, label: t("Owners") },
];
const validities = [
  { value: 1440, label: t("A day") },
  { value: week, label: t("A week") },
  { value: 43_200, label: duration(30 * 86_400) },
  { value: 0, label: t("For ever") },
];
/** What to say of a copied link; some only work on the machine on which they are opened. */
const copyNoticeOf = (link: string) =>
  isLoopback(link)
    ? t(
        "Link copied. It only works on this machine: to invite others, open Confab at the address that they use.",
      )
    : t("Link copied.");

export function InvitationsSection() {
  const { api, latestEvents } = useClient();
  const [invitations, setInvitations] = useState<readonly Invitation[]>([]);
  const mayLink = useSelect(mayMakeLinks);
  const mayAddress = useSelect(mayInvite);
  const [making, setMaking] = useState<"link" | "addresses" | null>(null);
  const load = useCallback(() => {
    api
      .get<{ invites: Invitation[] }>("/invites")
      .then(({ invites }) => setInvitations(invites), showFailure);
  }, [api]);
  useEffect(load, [load]);
  useEffect(
    () =>
      latestEvents.subscribe(() => {
        if (latestEvents.get().some(({ type }) => type === "invites_changed")) load();
      }),
    [latestEvents, load],
  );
  const revoke = ({ id, is_multiuse }: Invitation) => {
    api.delete(is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`).then(load, showFailure);
  };
  if (!mayLink && !mayAddress && invitations.length === 0)
    return (
      <p className={css.quiet}>{t("You cannot invite people here. Ask an administrator to invite them.")}</p>
    );
  return (
    <section className={css.group}>
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
      <h2 className={css.groupTitle}>{t("Open invitations")}</h2>
      {invitations.length === 0 ? <p className={css.quiet}>{t("None.")}</p> : null}
      <ul className={css.list}>
        {invitations.map((invitation) => (
          <InvitationRow
            key={`${invitation.is_multiuse} ${invitation.id}`}
            invitation={invitation}
            onRevoke={() => revoke(invitation)}
          />
        ))}
      </ul>
      {making ? <NewInvitation kind={making} onMade={load} onClose={() => setMaking(null)} /> : null}
    </section>
  );
}

function InvitationRow({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const { email, link_url = "", invited_as, expiry_date } = invitation;
  // Anyone who has such a link could become an owner.
  const mayRevoke = useSelect(({ self }) => self.is_owner || invited_as !== owner);
  const people = roles.find(({ value }) => value === invited_as)?.label ?? t("Members");
  const terms =
    expiry_date === null
      ? t("{people}, for ever", { people })
      : t("{people}, until {day}", {
          people,
          day: new Date(expiry_date * 1000).toLocaleDateString(locale, { dateStyle: "medium" }),
        });
  return (
    <li className={css.item}>
      <span className={css.itemText}>
        {email ?? t("A link for anyone")}
        <span className={css.quiet}> {terms}</span>
      </span>
      {link_url ? (
        <Button size="small" onClick={() => void copyWithNotice(link_url, copyNoticeOf(link_url))}>
          {t("Copy the link")}
        </Button>
      ) : null}
      {mayRevoke ? (
        <Button
          size="small"
          aria-label={
            email ? t("Revoke the invitation: {email}", { email }) : t("Revoke the invitation: link")
          }
          onClick={onRevoke}
        >
          {t("Revoke")}
        </Button>
      ) : null}
    </li>
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
