// Parts of the client that are loaded later. .ci/web.mjs makes each `import(…)` a call of `confabImport`, with all files that it loads.
import { currentReach, isFromServer, type Reach } from "./reach.ts";

declare global {
  var confabImport: (<T>(files: string, load: () => Promise<T>) => Promise<T>) | undefined;
}

/** How often the connection may break while one file is on its way. */
const maxBreaks = 5;
const fetched = new Map<string, Promise<void>>();

/**
 * Chromium does not try an import again that failed, or one whose file failed, until the page is loaded again. So all files are fetched
 * first, as often as the connection breaks: the import finds them in the browser's cache.
 */
globalThis.confabImport = async (files, load) => {
  await Promise.all(files.split(" ").map(fetchOnce));
  return load();
};

function fetchOnce(file: string): Promise<void> {
  const fetching = fetched.get(file) ?? fetchFile(file);
  fetched.set(file, fetching);
  fetching.catch(() => fetched.delete(file));
  return fetching;
}

async function fetchFile(file: string): Promise<void> {
  const reach = currentReach();
  await reach?.confirm();
  for (let breaks = 1; ; breaks += 1) {
    try {
      return await receive(file, reach);
    } catch (error) {
      if (error instanceof Unavailable || !reach || breaks === maxBreaks) throw error;
      await reach.confirm(Date.now());
    }
  }
}

async function receive(file: string, reach: Reach | undefined): Promise<void> {
  const ending = new AbortController();
  // Ends a request on a connection that has gone silent.
  const unsubscribe = reach?.isReached.subscribe(() => reach.isReached.get() || ending.abort());
  try {
    const answer = await fetch(`/static/web/${file}.js`, { signal: ending.signal });
    // The cache has it once it has arrived as a whole.
    await answer.arrayBuffer();
    if (answer.ok) return;
    const problem = `${answer.url}: ${answer.status}`;
    throw isFromServer(answer) ? new Unavailable(problem) : new Error(problem);
  } finally {
    unsubscribe?.();
  }
}

/** The server answered that it does not have the file: it has another version of the client. */
class Unavailable extends Error {}
