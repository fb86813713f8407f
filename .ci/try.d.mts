export function runnerOf(
  platform: string,
): { runner: string[]; obstacle?: never } | { obstacle: string; runner?: never };
export function tryExecutable(command: readonly string[]): Promise<string>;
