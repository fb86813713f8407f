import { useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { Switch } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./organize.module.css";

interface Demand {
  required: boolean;
  people_without: number;
}

/** Whether people must use two-step sign-in; owners change it, administrators see it. */
export function TwoStepSwitch() {
  const { api } = useClient();
  const isOwner = useSelect(({ self }) => self.is_owner);
  const [demand, setDemand] = useState<Demand | null>(null);
  useEffect(() => {
    api.get<Demand>("/realm/two_step").then(setDemand, showFailure);
  }, [api]);
  if (!demand) return null;
  const { required, people_without: count } = demand;
  const change = (wanted: boolean) => {
    setDemand({ ...demand, required: wanted });
    api.patch("/realm/two_step", { required: wanted }).catch((error: unknown) => {
      setDemand(demand);
      showFailure(error);
    });
  };
  const without = count === 1 ? "One person has not set it up." : `${count} people have not set it up.`;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>Signing in</h2>
      <Switch
        label="Everybody who signs in by password needs two-step sign-in"
        hint={`Who has not set it up is led to it at their next sign-in. ${without}`}
        checked={required}
        disabled={!isOwner}
        onChange={change}
      />
    </section>
  );
}
