declare module "*.client.js" {
  const script: string;
  export default script;
}
declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.png" {
  /** The file's path, also inside the executable. */
  const path: string;
  export default path;
}
