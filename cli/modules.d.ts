/** Written by .ci/notices.mjs when the executable is built. */
declare module "#third-party" {
  const thirdParty: unknown;
  export default thirdParty;
}

/** Read as text. */
declare module "*.service" {
  const text: string;
  export default text;
}
