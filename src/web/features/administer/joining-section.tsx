// Who may join and where they start: settings, the domains of addresses, and the channels of new people.
import { type FormEvent, useState } from "react";
import { realmAreas } from "@/foundation/realm/descriptions.ts";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { collator, t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Select, Switch, TextField } from "../../ui/field.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";
import { DefaultGroups } from "./joining-groups.tsx";
import { RealmSettings } from "./settings-sections.tsx";

const areas = realmAreas.filter(({ page }) => page === "joining");

export function JoiningSection() {
  return (
    <>
      <RealmSettings areas={areas} />
      <Domains />
      <DefaultChannels />
      <DefaultGroups />
    </>
  );
}

function Domains() {
  const { api } = useClient();
  const all = useSelect(({ organization }) => organization.realm_domains);
  const isLimited = useSelect(({ organization }) => organization.realm_emails_restricted_to_domains);
  const mayChange = useSelect(({ self }) => self.is_owner);
  const [removing, setRemoving] = useState<string | null>(null);
  const domains = Object.values(all).sort((a, b) => collator.compare(a.domain, b.domain));
  const remove = (domain: string) => api.delete(`/realm/domains/${encodeURIComponent(domain)}`);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Domains of addresses")}</h2>
      <p className={css.quiet}>
        {isLimited
          ? t("Only people with addresses of these domains may join.")
          : t("Addresses of all domains may join. To limit that to these, turn on “{setting}”.", {
              setting: t("Only addresses of the listed domains may join"),
            })}
      </p>
      {mayChange ? <NewDomain /> : <p className={css.quiet}>{t("Only owners can change this.")}</p>}
      {domains.length === 0 ? (
        <p className={css.quiet}>
          {isLimited ? t("No domain is named, so nobody may join.") : t("No domain is named.")}
        </p>
      ) : null}
      <ul className={css.list}>
        {domains.map(({ domain, allow_subdomains }) => (
          <li key={domain} className={css.item}>
            <div className={css.itemText}>
              <bdi dir="ltr">{domain}</bdi>
              <Switch
                label={t("Subdomains of {domain}, too", { domain })}
                checked={allow_subdomains}
                disabled={!mayChange}
                onChange={(to) =>
                  void api
                    .patch(`/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains: to })
                    .catch(showFailure)
                }
              />
            </div>
            {mayChange ? (
              <Button
                size="small"
                aria-label={t("Remove {name}", { name: domain })}
                onClick={() => (isLimited ? setRemoving(domain) : void remove(domain).catch(showFailure))}
              >
                {t("Remove")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {removing === null ? null : (
        <Confirm
          title={t("Remove {name}?", { name: removing })}
          action={t("Remove")}
          danger
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>
            {domains.length === 1
              ? t("It is the last one: without it, addresses of all domains may join.")
              : t("People with its addresses who are here stay; no more of them can join by themselves.")}
          </p>
        </Confirm>
      )}
    </section>
  );
}

function NewDomain() {
  const { api } = useClient();
  const [domain, setDomain] = useState("");
  const [problem, setProblem] = useState<string>();
  const add = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    api.post("/realm/domains", { domain: domain.trim(), allow_subdomains: false }).then(
      () => setDomain(""),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  return (
    <form className={css.group} onSubmit={add}>
      <TextField
        label={t("Domain")}
        dir="ltr"
        placeholder="example.com"
        value={domain}
        onChange={setDomain}
        error={problem}
      />
      <div className={css.buttons}>
        <Button type="submit" disabled={domain.trim() === ""}>
          {t("Add")}
        </Button>
      </div>
    </form>
  );
}

function DefaultChannels() {
  const { api } = useClient();
  const chosen = useSelect(({ organization }) => organization.realm_default_streams);
  const channels = useSelect(
    ({ streams }) => Object.values(streams).filter(({ is_archived }) => !is_archived),
    sameList,
  );
  const [adding, setAdding] = useState(0);
  const sorted = channels.toSorted((a, b) => collator.compare(a.name, b.name));
  const listed = sorted.filter(({ stream_id }) => chosen.includes(stream_id));
  const others = sorted.filter(({ stream_id, invite_only }) => !invite_only && !chosen.includes(stream_id));
  const wanted = others.find(({ stream_id }) => stream_id === adding) ?? others[0];
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) api.post("/default_streams", { stream_id: wanted.stream_id }).catch(showFailure);
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Channels of new people")}</h2>
      <p className={css.quiet}>
        {t("Who joins is subscribed to these, except guests. Those who are here stay as they are.")}
      </p>
      {wanted ? (
        <form className={css.group} onSubmit={add}>
          <Select
            label={t("Channel")}
            value={wanted.stream_id}
            choices={others.map(({ stream_id, name }) => ({ value: stream_id, label: name }))}
            onChange={setAdding}
          />
          <div className={css.buttons}>
            <Button type="submit">{t("Add")}</Button>
          </div>
        </form>
      ) : null}
      {listed.length === 0 ? (
        <p className={css.quiet}>{t("None: new people choose by themselves.")}</p>
      ) : null}
      <ul className={css.list}>
        {listed.map(({ stream_id, name }) => (
          <li key={stream_id} className={css.item}>
            <span className={css.itemText}>
              <a href={hashOf({ view: "channels", channel: stream_id })}>
                <bdi>{name}</bdi>
              </a>
            </span>
            <Button
              size="small"
              aria-label={t("Remove {name}", { name })}
              onClick={() => void api.delete("/default_streams", { stream_id }).catch(showFailure)}
            >
              {t("Remove")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
