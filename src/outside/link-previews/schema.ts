/** Limits of looking at what messages link to. */
export const looking = {
  timeoutMs: 10_000,
  maxRedirects: 4,
  maxAddressLength: 1000,
  /** Of a page, unpacked; its head is enough. */
  maxPageBytes: 524_288,
  maxPictureBytes: 8_388_608,
  /** Of one sender; further links stay links. */
  maxWaiting: 200,
  /** Concurrent requests; the owners are senders. */
  limits: { atOnce: 6, perOwner: 3, perHost: 2, perSlowHost: 1 },
  /** Pictures that readers ask for and that were deleted. */
  maxAgainAtOnce: 8,
  everySeconds: 1,
} as const;

/** How much is kept of what was found, and for how long: seconds and bytes. */
export const keeping = {
  seconds: 30 * 86_400,
  /** Where nothing was found, until somebody links there again. */
  nothingSeconds: 3_600,
  maxBytes: 524_288_000,
  maxAddresses: 50_000,
  sweepSeconds: 3_600,
} as const;

/** The size within which pictures are stored. */
export const box = { width: 840, height: 560 } as const;

/** What was found at an address. */
export type Found =
  | { kind: "nothing" }
  | { kind: "page"; title: string; description: string; picture_address: string | null }
  | { kind: "picture"; file: string; bytes: number; width: number; height: number };

/**
 * The address to look at for a link, without its fragment; null if the link leads nowhere else, or may hold a password.
 */
export function addressOf(href: string, sites: readonly string[]): string | null {
  if (href.length > looking.maxAddressLength) return null;
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  if (sites.some((site) => URL.parse(site)?.origin === url.origin)) return null;
  url.hash = "";
  return url.href.length > looking.maxAddressLength ? null : url.href;
}
