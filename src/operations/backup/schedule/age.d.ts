/** What backups use of the library. */
declare module "age-encryption" {
  export class Encrypter {
    /** Throws if this is no public key. */
    addRecipient(recipient: string): void;
    encrypt(content: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  }
  export class Decrypter {
    /** Throws if this is no secret key. */
    addIdentity(identity: string): void;
    /** Rejects if none of the keys fits, or if the content was changed. */
    decrypt(content: Uint8Array): Promise<Uint8Array>;
  }
  export function generateX25519Identity(): Promise<string>;
  export function identityToRecipient(identity: string): Promise<string>;
}
