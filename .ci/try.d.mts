type Runner = { runner: string[]; obstacle?: never } | { obstacle: string; runner?: never };
export function runnerOf(platform: string): Runner;
export function triedText(
  version: string,
  outcomes: readonly ({ file: string } & (Runner | { fault: string; runner?: never; obstacle?: never }))[],
): string;
export function tryExecutable(command: readonly string[]): Promise<string>;
