// The S3 store of the server's settings, with credentials from a file or from the environment.
import type { S3Settings } from "@/foundation/file-stores/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ArgValues } from "./args.ts";
import type { serverSettings } from "./settings.ts";
import { textOf } from "./tls.ts";

type StoreFlags = Pick<
  ArgValues<typeof serverSettings>,
  "s3_bucket" | "s3_endpoint" | "s3_region" | "s3_prefix" | "s3_credentials"
>;

/** Throws if there are no credentials for the store. */
export function s3In({
  s3_bucket,
  s3_endpoint,
  s3_region,
  s3_prefix,
  s3_credentials,
}: StoreFlags): S3Settings | null {
  if (s3_bucket === undefined) {
    if ((s3_endpoint ?? s3_credentials) !== undefined)
      fail("BAD_REQUEST", "An S3 store needs s3_bucket, too.");
    return null;
  }
  if ((s3_endpoint ?? s3_region) === undefined) {
    fail("BAD_REQUEST", "An S3 store needs s3_endpoint or, at Amazon, s3_region.");
  }
  const credentials = s3_credentials === undefined ? ofEnvironment() : ofFile(s3_credentials);
  return { bucket: s3_bucket, endpoint: s3_endpoint, region: s3_region, prefix: s3_prefix, ...credentials };
}

type Credentials = Pick<S3Settings, "accessKeyId" | "secretAccessKey" | "sessionToken">;

function ofEnvironment(): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    return fail(
      "BAD_REQUEST",
      "The S3 store needs credentials: name a file by s3_credentials, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

/** Reads the file that Amazon's own programs use, up to its second section. */
function ofFile(path: string): Credentials {
  const lines = textOf(path).split(/\n\s*\[(?!default\])/)[0] ?? "";
  const value = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, "m").exec(lines)?.[1];
  const accessKeyId = value("aws_access_key_id");
  const secretAccessKey = value("aws_secret_access_key");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return fail(
      "BAD_REQUEST",
      `${path} must hold two lines: aws_access_key_id = … and aws_secret_access_key = ….`,
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: value("aws_session_token") };
}
