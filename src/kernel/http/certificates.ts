// Why a TLS connection to another machine failed.

const faults: [sign: RegExp, clause: (setting: string) => string][] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, () => "has expired"],
  [
    /CERT_NOT_YET_VALID|certificate is not yet valid/i,
    () => "is not valid yet; compare this machine's clock with theirs",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/i,
    () => "is for another name than that of its address",
  ],
  [
    /UNABLE_TO_(VERIFY|GET)|SELF_SIGNED|unable to (verify|get)|self.signed/i,
    (setting) => `is not signed by one of ${setting}, or by a public authority if ${setting} is not set`,
  ],
];

/** What is wrong with the certificate of another machine, as the end of a sentence; null if that is not the error. */
export function certificateFault(error: unknown, setting: string): string | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const text = `${(one as { code?: unknown }).code} ${one}`;
    const fault = faults.find(([sign]) => sign.test(text));
    if (fault) return fault[1](setting);
  }
  return null;
}
