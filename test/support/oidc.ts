// A real OpenID provider for tests; each sign-in is that of an account that the test chooses.
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";

export interface TestProvider {
  issuer: string;
  /** The claims of the next person to sign in; `sub` names the account. */
  person: Record<string, unknown> & { sub: string };
  /** Changes the claims of the ID tokens that it signs. */
  forge: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Registers the Confab server at this address. */
  serve(site: string): void;
  close(): void;
}

export const client = { client_id: "confab", client_secret: "a secret of the test" };

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" };

/** The ID token with other claims, signed as the provider signs. */
function forged(token: string, forge: NonNullable<TestProvider["forge"]>): string {
  const [header = "", body = ""] = token.split(".");
  const claims = forge(JSON.parse(Buffer.from(body, "base64url").toString()));
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

/**
 * Starts a provider for the Confab server at `site`; null if its address is not known yet. The provider's own URL has the given
 * path.
 */
export async function startProvider(site: string | null, name = "company", path = ""): Promise<TestProvider> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}${path}`;
  const found: TestProvider = {
    issuer,
    person: { sub: "nobody" },
    forge: null,
    serve(known) {
      const answer = providerFor(known, name, found).callback();
      const prefix = path.replace(/\/$/, "");
      server.on("request", (request, response) => {
        request.url = (request.url ?? "").replace(prefix, "");
        void answer(request, response);
      });
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  if (site !== null) found.serve(site);
  return found;
}

function providerFor(site: string, name: string, found: TestProvider): Provider {
  const provider = new Provider(found.issuer, {
    jwks: { keys: [key] },
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
    if (ctx.path === "/token" && found.forge) {
      await next();
      const answer = ctx.body as { id_token?: string };
      if (answer.id_token) answer.id_token = forged(answer.id_token, found.forge);
      return;
    }
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
  return provider;
}
