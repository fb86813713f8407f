// Whether the server is reached. Any answer shows that it is. A request that fails, and silence while the person is active, are
// followed by a small request that asks; without an answer, that is repeated until there is one.
import { createStore, type ValueStore, when } from "../lib/observable.ts";

export interface Reach {
  /** False once the server does not answer, until it does. */
  isReached: ValueStore<boolean>;
  /** When the server last answered the small request, in milliseconds; 0 before. */
  probedAt: ValueStore<number>;
  /** The server has answered a request. */
  noteAnswer(): void;
  /** A request was not answered. */
  noteFailure(): void;
  /** Asks the server, at once, whether it is there. */
  check(): void;
  /** Resolves once the server has answered after this time, which is just now unless another is given. */
  confirm(since?: number): Promise<void>;
  stop(): void;
}

/** Small, the same for everybody, and not counted against limits: if it has not changed, the answer is empty. */
const probed = "/service-worker.js";
/** In milliseconds. A loss is to be noticed within five seconds: the silence, and the wait for an answer. */
const silence = 1_500;
const firstPatience = 1_800;
const longestPatience = 10_000;
/** So long the person counts as active after they have moved something. */
const activeFor = 20_000;
/** How often a page in sight asks for a server that it does not reach; the return is to be noticed within two seconds. */
const seekEvery = 1_300;
const seekEveryHidden = 20_000;
/** An answer so recent shows that the server is there. */
const justNow = 500;
/** A question that is not answered within this time is given up. */
const lifetime = 5_000;

/** A proxy answers with these in place of a server that it does not reach. */
export function isFromServer({ status }: { status: number }): boolean {
  return status !== 502 && status !== 504;
}

/** That of the open client. */
let current: Reach | undefined;

/** That of the open client; undefined on a page without one, such as the sign-in page. */
export function currentReach(): Reach | undefined {
  return current;
}

export function watchReach(): Reach {
  const isReached = createStore(true);
  const heard = createStore(Date.now());
  const probedAt = createStore(0);
  let lastActive = Date.now();
  let patience = firstPatience;
  /** When the question was asked that is not answered yet; 0 if none is. */
  let askedAt = 0;
  let seeking: ReturnType<typeof setTimeout> | undefined;

  const noteAnswer = () => {
    heard.set(Date.now());
    askedAt = 0;
    clearTimeout(seeking);
    seeking = undefined;
    isReached.set(true);
  };
  const ask = async () => {
    const asked = Date.now();
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), Math.max(lifetime, patience));
    try {
      const how = { cache: "no-cache", credentials: "omit", signal: ending.signal } as const;
      if (!isFromServer(await fetch(probed, how))) return false;
      // On a slow connection, answers are late, not lost.
      patience = Math.min(longestPatience, Math.max(firstPatience, 2 * (Date.now() - asked)));
      probedAt.set(Date.now());
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  };
  const lose = () => {
    if (!isReached.get()) return;
    isReached.set(false);
    seek();
  };
  /** Asks again and again, without waiting for earlier answers: any one ends it. */
  const seek = () => {
    clearTimeout(seeking);
    if (isReached.get()) return;
    askedAt = Date.now();
    void ask().then((isAnswered) => isAnswered && noteAnswer());
    const pause = document.hidden ? seekEveryHidden : seekEvery;
    seeking = setTimeout(seek, pause * (0.8 + Math.random() * 0.4));
  };
  const check = () => {
    if (!isReached.get()) return seek();
    if (askedAt > 0) return;
    const asked = Date.now();
    askedAt = asked;
    const timer = setTimeout(() => askedAt === asked && lose(), patience);
    void ask().then((isAnswered) => {
      clearTimeout(timer);
      if (isAnswered) noteAnswer();
      else if (askedAt === asked) lose();
    });
  };
  const confirm = async (since = Date.now() - justNow) => {
    if (isReached.get() && heard.get() > since) return;
    const asked = Date.now();
    check();
    await when(heard, (at) => at >= asked);
  };
  const noteFailure = () => {
    if (isReached.get()) check();
  };
  const look = () => {
    const now = Date.now();
    if (!document.hidden && now - lastActive < activeFor && now - heard.get() > silence) check();
  };
  const noteActivity = () => {
    lastActive = Date.now();
  };
  const onShown = () => {
    if (document.hidden) return;
    noteActivity();
    if (isReached.get()) look();
    else seek();
  };
  const activities = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "focus"] as const;
  for (const name of activities) addEventListener(name, noteActivity, { passive: true, capture: true });
  addEventListener("offline", check);
  document.addEventListener("visibilitychange", onShown);
  const timer = setInterval(look, 500);
  const reach: Reach = {
    isReached,
    probedAt,
    noteAnswer,
    noteFailure,
    check,
    confirm,
    stop: () => {
      if (current === reach) current = undefined;
      clearInterval(timer);
      clearTimeout(seeking);
      for (const name of activities) removeEventListener(name, noteActivity, { capture: true });
      removeEventListener("offline", check);
      document.removeEventListener("visibilitychange", onShown);
    },
  };
  current = reach;
  return reach;
}
