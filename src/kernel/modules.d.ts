declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.png" {
  /** Its path, in the executable as well. */
  const path: string;
  export default path;
}
