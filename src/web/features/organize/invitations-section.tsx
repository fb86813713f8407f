import { useCallback, useEffect, useState } from "react";
import { isLoopback } from "@/text/links/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "./organize.module.css";

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
  { value: 400, label: "Members" },
  { value: 600, label: "Guests" },
  { value: 300, label: "Moderators" },
  { value: 200, label: "Administrators" },
  { value: owner, label: "Owners" },
];
const validities = [
  { value: 1440, label: "A day" },
  { value: 10_080, label: "A week" },
  { value: 43_200, label: "30 days" },
  { value: 0, label: "For ever" },
];
/** A sentence for links that only work on the machine on which they are opened; otherwise empty. */
const warningOf = (link: string) =>
  isLoopback(link)
    ? " It only works on this machine: to invite others, open Confab at the address that they use."
    : "";

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
    return <p className={css.quiet}>You cannot invite people here. Ask an administrator to invite them.</p>;
  return (
    <section className={css.group}>
      <div className={css.buttons}>
        {mayLink ? (
          <Button look="primary" onClick={() => setMaking("link")}>
            Make a link
          </Button>
        ) : null}
        {mayAddress ? (
          <Button look={mayLink ? "plain" : "primary"} onClick={() => setMaking("addresses")}>
            Invite by address
          </Button>
        ) : null}
      </div>
      <h2 className={css.groupTitle}>Open invitations</h2>
      {invitations.length === 0 ? <p className={css.quiet}>None.</p> : null}
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
  const until =
    expiry_date === null
      ? "for ever"
      : `until ${new Date(expiry_date * 1000).toLocaleDateString("en", { dateStyle: "medium" })}`;
  // Anyone who has such a link could become an owner.
  const mayRevoke = useSelect(({ self }) => self.is_owner || invited_as !== owner);
  const as = roles.find(({ value }) => value === invited_as)?.label ?? "Members";
  return (
    <li className={css.item}>
      <span className={css.itemText}>
        {email ?? "A link for anyone"}
        <span className={css.quiet}>
          {" "}
          {as}, {until}
        </span>
      </span>
      {link_url ? (
        <Button
          size="small"
          onClick={() => void copyWithNotice(link_url, `Link copied.${warningOf(link_url)}`)}
        >
          Copy the link
        </Button>
      ) : null}
      {mayRevoke ? (
        <Button size="small" aria-label={`Revoke the invitation: ${email ?? "link"}`} onClick={onRevoke}>
          Revoke
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
  const ownRole = useSelect((state) => state.users[state.self.user_id]?.role ?? 400);
  const [addresses, setAddresses] = useState("");
  const [role, setRole] = useState(400);
  const [validity, setValidity] = useState(10_080);
  const make = async () => {
    const params = {
      invite_as: role,
      invite_expires_in_minutes: validity === 0 ? null : validity,
      include_realm_default_subscriptions: true,
      stream_ids: [],
    };
    if (kind === "link") {
      const { invite_link } = await api.post<{ invite_link: string }>("/invites/multiuse", params);
      await copyWithNotice(invite_link, `The link is made and copied.${warningOf(invite_link)}`);
    } else {
      await api.post("/invites", { ...params, invitee_emails: addresses });
      showToast({ text: "Invited." });
    }
    onMade();
  };
  return (
    <Confirm
      title={kind === "link" ? "A link to join" : "Invite by address"}
      action={kind === "link" ? "Make the link" : "Invite"}
      onConfirm={make}
      onClose={onClose}
    >
      {kind === "addresses" ? (
        <TextArea
          label="Addresses"
          hint="Separated by commas or on lines of their own."
          value={addresses}
          onChange={setAddresses}
        />
      ) : null}
      <Select
        label="They join as"
        value={role}
        choices={roles.filter(({ value }) => value >= ownRole)}
        onChange={setRole}
      />
      <Select label="It can be used for" value={validity} choices={validities} onChange={setValidity} />
    </Confirm>
  );
}
