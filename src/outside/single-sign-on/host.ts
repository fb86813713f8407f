import type { Db } from "@/kernel/core/context.ts";
import { configurationOf, signOn } from "./providers.ts";
import { formatProblem } from "./refusals.ts";
import type { Provider } from "./schema.ts";

/** Sets the providers of this process. */
export function setProviders({ db }: { db: Db }, providers: readonly Provider[]): void {
  const all = signOn({ db }).providers;
  all.clear();
  for (const provider of providers) all.set(provider.name, provider);
}

/** Reads a provider's metadata. Returns null, or the problem as the end of a sentence. */
export async function tryProvider(provider: Provider): Promise<string | null> {
  try {
    const { authorization_endpoint, token_endpoint } = (await configurationOf(provider)).serverMetadata();
    return authorization_endpoint && token_endpoint ? null : "does not offer to sign people in";
  } catch (error) {
    return `does not answer as a provider of OpenID Connect (${formatProblem(error as Error)})`;
  }
}
