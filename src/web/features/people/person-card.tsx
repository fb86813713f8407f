import {
  AtSign,
  Ban,
  Bot,
  EllipsisVertical,
  Link,
  MessageSquare,
  Search,
  ShieldOff,
  SmilePlus,
} from "lucide-react";
import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { isMember } from "../../state/groups.ts";
import { term } from "../../state/narrows.ts";
import type { Person } from "../../state/people.ts";
import { presenceOf } from "../../state/selectors.ts";
import { Avatar, PresenceDot } from "../../ui/avatar.tsx";
import { Tag } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Menu } from "../../ui/menu.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { hashOf, parseHash, placeOfTerms, placeRoute, type Route } from "../../ui/routes/route.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { writeTo } from "../compose/insertion.ts";
import css from "./cards.module.css";
import { FactValue, factsOf, localTimeOf, roleName } from "./facts.tsx";
import { askTwoStepReset } from "./showing.ts";
import { openStatusDialog } from "./status.tsx";
import { StatusLine } from "./status-line.tsx";
import { useHasTwoStep } from "./two-step-reset.tsx";

interface PersonCardProps {
  userId: number;
  onClose: () => void;
}

export function PersonCard({ userId, onClose }: PersonCardProps) {
  const person = useSelect((state) => state.users[userId]);
  if (!person) {
    return (
      <div className={css.inner}>
        <Skeleton lines={2} avatar />
        <p className={css.quiet}>{t("Nobody who is known here.")}</p>
      </div>
    );
  }
  return <KnownCard person={person} onClose={onClose} />;
}

function KnownCard({ person, onClose }: { person: Person; onClose: () => void }) {
  const { store } = useClient();
  const { user_id } = person;
  const [now] = useState(() => Date.now());
  const isSelf = useSelect((state) => state.self.user_id === user_id);
  const here = useSelect((state) => presenceOf(state, user_id, now / 1000));
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const facts = factsOf(store.get(), person);
  const time = localTimeOf(person.timezone, now, isTwentyFour);
  const go = (route: Route) => {
    onClose();
    goTo(linkTo(route, store.get()));
  };
  return (
    <div className={css.inner}>
      <div className={css.head}>
        <Avatar src={person.avatar_url ?? `/avatar/${user_id}/medium`} size={64} />
        <div>
          <h2 className={css.name}>
            {person.full_name}
            {isSelf ? <Tag text={t("You")} /> : null}
          </h2>
          <p className={css.role}>
            {person.is_bot ? (
              <Bot size={14} strokeWidth={1.5} aria-hidden="true" />
            ) : (
              <PresenceDot state={here} />
            )}{" "}
            {person.is_active ? roleName(person) : t("Deactivated")}
            {time ? ` · ${time}` : ""}
          </p>
        </div>
      </div>
      <StatusLine userId={user_id} className={css.status} />
      {facts.length > 0 ? (
        <dl className={css.facts}>
          {facts.map((fact) => (
            <div key={fact.name} style={{ display: "contents" }}>
              <dt>{fact.name}</dt>
              <dd>
                <FactValue {...fact} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Groups person={person} />
      <div className={css.actions}>
        {isSelf ? (
          <Button
            icon={SmilePlus}
            onClick={() => {
              onClose();
              openStatusDialog();
            }}
          >
            {t("Set a status")}
          </Button>
        ) : (
          <Button look="primary" icon={MessageSquare} onClick={() => go(placeRoute({ user_ids: [user_id] }))}>
            {t("Message")}
          </Button>
        )}
        <MoreMenu person={person} go={go} onClose={onClose} />
      </div>
    </div>
  );
}

function Groups({ person }: { person: Person }) {
  const groups = useSelect((state) => state.groups);
  const own = Object.values(groups).filter(
    (group) => !group.is_system_group && !group.deactivated && isMember(groups, group.id, person.user_id),
  );
  if (own.length === 0) return null;
  return (
    <p className={css.groups}>
      <span className="visually-hidden">{t("Groups:")} </span>
      {own.map(({ id, name }) => (
        <Tag key={id} text={name} />
      ))}
    </p>
  );
}

interface MoreMenuProps {
  person: Person;
  go: (route: Route) => void;
  onClose: () => void;
}

function MoreMenu({ person, go, onClose }: MoreMenuProps) {
  const client = useClient();
  const { api, store } = client;
  const { user_id, full_name } = person;
  const isMuted = useSelect((state) => state.muted_users.some(({ id }) => id === user_id));
  const isSelf = useSelect((state) => state.self.user_id === user_id);
  const hasTwoStep = useHasTwoStep(person);
  const mute = () => {
    const path = `/users/me/muted_users/${user_id}`;
    (isMuted ? api.delete(path) : api.post(path)).then(
      () =>
        showToast({
          text: isMuted
            ? t("{name} is no longer muted.", { name: full_name })
            : t("{name} is muted.", { name: full_name }),
        }),
      showFailure,
    );
  };
  const route = parseHash(location.hash);
  const here = route?.view === "messages" ? placeOfTerms(route.terms) : null;
  const sentBy: Route = {
    view: "messages",
    terms: [term("sender", user_id)],
  };
  return (
    <Menu
      label={t("More about {name}", { name: full_name })}
      trigger={<IconButton label={t("More")} icon={EllipsisVertical} />}
      items={[
        ...(here
          ? [
              {
                label: t("Mention here"),
                icon: AtSign,
                onSelect: () => {
                  onClose();
                  writeTo(client, here, `@**${full_name}|${user_id}** `);
                },
              },
            ]
          : []),
        { label: t("Messages they sent"), icon: Search, onSelect: () => go(sentBy) },
        {
          label: t("Copy link to profile"),
          icon: Link,
          onSelect: () => {
            const link = new URL(hashOf({ view: "person", user: user_id }), location.href);
            void copyWithNotice(link.href, t("Link copied."));
          },
        },
        ...(isSelf || !store.get().users[user_id]
          ? []
          : [
              "line" as const,
              { label: isMuted ? t("Unmute") : t("Mute"), icon: Ban, danger: !isMuted, onSelect: mute },
            ]),
        ...(hasTwoStep
          ? [
              {
                label: t("Turn off two-step sign-in …"),
                icon: ShieldOff,
                danger: true,
                onSelect: () => askTwoStepReset(user_id),
              },
            ]
          : []),
      ]}
    />
  );
}
