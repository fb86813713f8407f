// A real OpenID provider for tests, in which anybody signs in as the account that the test chose.
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";

export interface TestProvider {
  issuer: string;
  /** The claims of the person who signs in next; `sub` names the account. */
  person: Record<string, unknown> & { sub: string };
  close(): void;
}

export const client = { client_id: "confab", client_secret: "a secret of the test" };

/** Starts a provider that knows this server under `site`. */
export async function startProvider(site: string, name = "company"): Promise<TestProvider> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const found: TestProvider = { issuer, person: { sub: "nobody" }, close: () => server.close() };
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${site}/complete/oidc/${name}`] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...found.person, sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ["test"] },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/interaction/")) return next();
    const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res);
    if (found.person.sub === "denied") {
      const result = { error: "access_denied", error_description: "The person said no" };
      return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    }
    if (prompt.name === "login") {
      const result = { login: { accountId: found.person.sub } };
      return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    }
    const grant = new provider.Grant({ accountId: found.person.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    await provider.interactionFinished(
      ctx.req,
      ctx.res,
      { consent: { grantId } },
      { mergeWithLastSubmission: true },
    );
  });
  server.on("request", provider.callback());
  return found;
}
