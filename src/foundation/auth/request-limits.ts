// Limits requests per minute with a token bucket for each caller.

import { newest, refuseFor } from "@/foundation/secrets/attempts.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import type { Charge } from "@/kernel/http/http-answers.ts";
import type { Clock } from "@/kernel/lib/clock.ts";

export interface RateLimits {
  /** Requests a minute of one user, and of one address without a user; 0 means no limit. */
  readonly user: number;
  readonly address: number;
}

interface Bucket {
  left: number;
  /** On the monotonic clock. */
  at: number;
}

const minuteMs = 60_000;

/** In memory and of bounded size: a restart or a flood of addresses does no more than refill buckets. */
export function rateLimiter(clock: Clock, limits: RateLimits): Charge {
  const buckets = newest<string | number, Bucket>();
  return (caller, cost, headers) => {
    const [key, limit] =
      "userId" in caller ? [caller.userId, limits.user] : [networkOf(caller.address), limits.address];
    if (limit === 0) return;
    const now = clock.steady();
    const known = buckets.get(key) ?? { left: limit, at: now };
    const left = Math.min(limit, known.left + ((now - known.at) * limit) / minuteMs);
    const bucket = { left: left >= cost ? left - cost : left, at: now };
    buckets.set(key, bucket);

    headers["x-ratelimit-limit"] = String(limit);
    headers["x-ratelimit-remaining"] = String(Math.floor(bucket.left));
    headers["x-ratelimit-reset"] = String(
      Math.ceil((clock.ms() + ((limit - bucket.left) * minuteMs) / limit) / 1000),
    );
    if (left < cost) refuseFor(Math.ceil(((cost - left) * minuteMs) / limit) / 1000);
  };
}
