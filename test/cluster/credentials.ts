// An operator, an account and a user of NATS, as `nsc` would make them.
import { createAccount, createOperator, createUser, type KeyPair } from "@nats-io/nkeys";

export interface NatsAccount {
  /** For a nats-server's configuration. */
  lines: string[];
  /** The content of the user's .creds file. */
  credentials: string;
}

export function natsAccount(): NatsAccount {
  const [operator, system, account, user] = [
    createOperator(),
    createAccount(),
    createAccount(),
    createUser(),
  ];
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const ofAccount = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const accountToken = token(operator, account, "account", { limits: { ...ofAccount, ...storage } });
  const systemToken = token(operator, system, "account", { limits: ofAccount });
  const userToken = token(account, user, "user", { ...unlimited });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    lines: [
      `operator: ${token(operator, operator, "operator", {})}`,
      "resolver: MEMORY",
      `resolver_preload: { ${account.getPublicKey()}: ${accountToken}, ${system.getPublicKey()}: ${systemToken} }`,
      `system_account: ${system.getPublicKey()}`,
    ],
    credentials: `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  };
}

function token(by: KeyPair, of: KeyPair, type: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = part({ typ: "JWT", alg: "ed25519-nkey" });
  const body = part({
    jti: crypto.randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: by.getPublicKey(),
    name: type,
    sub: of.getPublicKey(),
    nats: { ...claims, type, version: 2 },
  });
  const signature = by.sign(new TextEncoder().encode(`${head}.${body}`));
  return `${head}.${body}.${Buffer.from(signature).toString("base64url")}`;
}
