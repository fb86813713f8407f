export function unpackedChromium(): Promise<string>;
