/** True if a URL points to the machine that opens it, as wildcard addresses do too. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.*\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/.test(
    hostname,
  );
}
