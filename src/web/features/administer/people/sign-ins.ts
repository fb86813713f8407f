import { useCallback, useEffect, useRef, useState } from "react";
import type { SignIn } from "@/foundation/login/schema.ts";
import { useClient } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { reasonOf } from "../../../api/request.ts";
import { listNames, locale, t } from "../../../lib/texts.ts";

interface Answer {
  sign_ins: SignIn[];
  next: number | null;
}

export type SignIns = ReadonlyMap<number, SignIn>;

interface Loading {
  /** Of those that have come so far. */
  signIns: SignIns;
  problem: string | null;
  again: () => void;
}

/** How people sign in and when they were last active, by ID: in pages, of which the first shows before the last has come. */
export function useSignIns(isAsked: boolean): Loading {
  const { api } = useClient();
  const [signIns, setSignIns] = useState<SignIns>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController>(null);
  const load = useCallback(async () => {
    running.current?.abort();
    const request = new AbortController();
    running.current = request;
    const { signal } = request;
    setProblem(null);
    const found = new Map<number, SignIn>();
    try {
      for (let after: number | null = 0; after !== null; ) {
        const { sign_ins, next }: Answer = await api.get<Answer>("/users/sign_ins", { after }, signal);
        for (const one of sign_ins) found.set(one.user_id, one);
        // Each time, the table is sorted again.
        if (after === 0 || next === null) setSignIns(new Map(found));
        after = next;
      }
    } catch (error) {
      if (!signal.aborted) setProblem(reasonOf(error));
    }
  }, [api]);
  useEffect(() => {
    if (isAsked) void load();
    return () => running.current?.abort();
  }, [load, isAsked]);
  return { signIns, problem, again: () => void load() };
}

/** That of one account; undefined until it has come, and unless it is asked for. */
export function useSignIn(userId: number, isAsked: boolean): SignIn | undefined {
  const { value } = useLoaded<Answer>(isAsked ? "/users/sign_ins" : null, {
    params: { after: userId - 1, limit: 1 },
  });
  return value?.sign_ins.find(({ user_id }) => user_id === userId);
}

/** "28 Nov 2026"; "Never" if they never were active. */
export function activityOf({ last_active }: SignIn): string {
  if (last_active === null) return t("Never");
  return new Date(`${last_active}T12:00Z`).toLocaleDateString(locale, { dateStyle: "medium" });
}

/** "Password and Example", by which somebody can sign in. */
export function waysOf({ has_password, providers }: SignIn): string {
  return listNames([...(has_password ? [t("Password")] : []), ...providers]);
}
