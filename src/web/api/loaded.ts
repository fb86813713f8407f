// What views ask the server for that is no part of the state: lists of an administration, figures, single records.
import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "./client.ts";
import { mayPass, type RequestParams, reasonOf } from "./request.ts";

export interface Loaded<T> {
  /** Null until it has come, and after the path has changed. */
  value: T | null;
  /** Why it could not be loaded; null if it was, or is being loaded. */
  problem: string | null;
  isLoading: boolean;
  /** Asks again; until the answer comes, the value stays. */
  again: () => void;
  /** Shows another value until it is loaded again, for changes of one's own. */
  set: (value: T) => void;
}

interface LoadOptions {
  params?: RequestParams;
  /** Types of events after which it is asked for again. */
  renewOn?: readonly string[];
}

/**
 * The server's answer to a path, which may be null as long as nothing is to be asked. What could not be loaded without a connection is
 * loaded once it is back.
 */
export function useLoaded<T>(
  path: string | null,
  { params = {}, renewOn = [] }: LoadOptions = {},
): Loaded<T> {
  const { api, connection, latestEvents } = useClient();
  const asked = JSON.stringify([path, params]);
  const [known, setKnown] = useState<{ asked: string; value: T | null; problem: string | null } | null>(null);
  const [isLoading, setLoading] = useState(path !== null);
  const running = useRef<AbortController>(null);
  const mayComeLater = useRef(false);
  const load = useCallback(() => {
    running.current?.abort();
    const [wanted, given] = JSON.parse(asked) as [string | null, RequestParams];
    if (wanted === null) return;
    const request = new AbortController();
    running.current = request;
    setLoading(true);
    api.get<T>(wanted, given, request.signal).then(
      (value) => {
        if (request.signal.aborted) return;
        mayComeLater.current = false;
        setKnown({ asked, value, problem: null });
        setLoading(false);
      },
      (error: unknown) => {
        if (request.signal.aborted) return;
        mayComeLater.current = mayPass(error);
        setKnown((before) => ({
          asked,
          value: before?.asked === asked ? before.value : null,
          problem: reasonOf(error),
        }));
        setLoading(false);
      },
    );
  }, [api, asked]);
  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [load]);
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.get() === "online" && mayComeLater.current) load();
      }),
    [connection, load],
  );
  const renewing = renewOn.join();
  useEffect(() => {
    const types = renewing.split(",");
    return latestEvents.subscribe(() => {
      if (latestEvents.get().some(({ type }) => types.includes(type))) load();
    });
  }, [latestEvents, load, renewing]);
  const current = known?.asked === asked ? known : null;
  return {
    value: current?.value ?? null,
    problem: isLoading ? null : (current?.problem ?? null),
    isLoading,
    again: load,
    set: (value) => setKnown({ asked, value, problem: null }),
  };
}

/** Once it has come, asks again so many seconds after each answer, while the page is in sight; never if null. */
export function useRenewed<T>(loaded: Loaded<T>, seconds: number | null = 10): Loaded<T> {
  const { value, isLoading, again } = loaded;
  const isAnswered = value !== null && !isLoading;
  useEffect(() => {
    if (!isAnswered || seconds === null) return;
    const timer = setInterval(() => document.hidden || again(), seconds * 1000);
    return () => clearInterval(timer);
  }, [again, isAnswered, seconds]);
  return loaded;
}
