// Runs npm's s3rver, as a Node process: `node s3rver.mjs '{"folder": …, "bucket": …, "accessKeyId": …, "secretAccessKey": …}'`.
// Prints its port once it serves, and ends with its input.
import crypto from "node:crypto";
import { stat } from "node:fs/promises";
import S3rver from "s3rver";
import { DUMMY_ACCOUNT } from "s3rver/lib/models/account.js";

const { folder, bucket, accessKeyId, secretAccessKey } = JSON.parse(process.argv[2]);

// It encrypts its continuation tokens by DES, which OpenSSL 3 no longer has. Triple DES with one key thrice is the same.
for (const name of ["createCipheriv", "createDecipheriv"]) {
  const make = crypto[name];
  crypto[name] = (algorithm, key, ...rest) =>
    algorithm === "des"
      ? make("des-ede3-cbc", Buffer.concat([key, key, key]), ...rest)
      : make(algorithm, key, ...rest);
}

DUMMY_ACCOUNT.createKeyPair(accessKeyId, secretAccessKey);
const server = new S3rver({
  directory: folder,
  address: "127.0.0.1",
  port: 0,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
});

// It answers before the last bytes of an object are in its file.
const { store } = server;
const written = async (path, { size }) => {
  while ((await stat(path)).size < size) await new Promise((resolve) => setTimeout(resolve, 1));
};
const [putObject, putPart] = [store.putObject.bind(store), store.putPart.bind(store)];
store.putObject = async (object) => {
  const result = await putObject(object);
  await written(store.getResourcePath(object.bucket, object.key, "object"), result);
  return result;
};
store.putPart = async (into, uploadId, part, content) => {
  const result = await putPart(into, uploadId, part, content);
  await written(`${store.getResourcePath(into, undefined, "uploads")}/${uploadId}/${part}`, result);
  return result;
};

// A deletion that removes an empty folder may otherwise take it from an object that is being put there.
let last = Promise.resolve();
server.middleware.unshift((ctx, next) => {
  if (["GET", "HEAD"].includes(ctx.method)) return next();
  const done = last.then(next);
  last = done.catch(() => {});
  return done;
});

const { port } = await server.run();
console.log(port);
process.stdin.resume().on("end", () => process.exit());
