export function executableForTests(): string | null;
