/** Written by .ci/web.mjs: what the web client consists of. */
declare module "#web" {
  /** Paths of a file's compressed forms, by encoding. Pictures and fonts have none. */
  type Forms = Readonly<Partial<Record<"br" | "zstd" | "gzip" | "identity", string>>>;
  const web: {
    readonly entry: {
      /** Asks for the state while the rest is loaded. */
      readonly early: string;
      readonly script: string;
      readonly preload: readonly string[];
      readonly styles: readonly string[];
    };
    readonly serviceWorker: string;
    /** The folder of the emoji picker's data. */
    readonly emoji: string;
    /** The files of src/web/static under the names that they are served by. */
    readonly assets: Readonly<Record<string, string>>;
    /** Scripts that set the texts of a language, by its tag. */
    readonly languages: Readonly<Record<string, string>>;
    readonly files: Readonly<Record<string, Forms>>;
  };
  export default web;
}
