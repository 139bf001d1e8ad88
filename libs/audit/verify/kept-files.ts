import { publicKeysInPem, publicKeysOf, type PublicJwk } from '../keys/public-keys.js';
import type { PublicKeys } from '../proof/signatures.js';
import { collectedIn, type CollectedCheckpoints } from './collected-checkpoints.js';
import { forgeryOf } from './genuine-checkpoints.js';

/** A file that an auditor keeps elsewhere cannot be used. The message says why, without the name of the file. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

/** Decodes a text. Windows PowerShell redirects output as UTF-16, and other editors put a byte order mark before UTF-8. */
export const decodeText = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);

/** Reads public keys: the output of `audit key`, or keys in PEM. Throws UnusableFile if there are none. */
export const readPublicKeys = (text: string): PublicKeys => {
  try {
    const keys = text.trimStart().startsWith('{')
      ? publicKeysOf((JSON.parse(text) as { readonly keys: readonly PublicJwk[] }).keys)
      : publicKeysInPem(text);
    if (keys.size > 0) return keys;
  } catch {
    // The message below says what the file must contain.
  }
  throw new UnusableFile('expected the output of "audit key", or Ed25519 public keys in PEM');
};

/**
 * Reads checkpoints in one of the forms of `collectedIn`. Throws UnusableFile if no line names a checkpoint, or if the signature of a
 * checkpoint does not match the keys.
 */
export const readCheckpointCopies = (text: string, keys: PublicKeys): CollectedCheckpoints => {
  const collected = collectedIn(text);
  const { checkpoints, unreadable } = collected;
  if (checkpoints.length === 0 && unreadable.length === 0) throw new UnusableFile(`no line has a checkpoint. ${REMEDY}`);
  for (const signed of checkpoints) {
    const reason = forgeryOf(keys, signed);
    if (reason !== null) throw new UnusableFile(`checkpoint ${signed.checkpoint.index}: ${reason}`);
  }
  return collected;
};

const REMEDY = 'Pass the output of "audit checkpoints", the list of GET /v1/audit/checkpoints, or lines of the service log';

/** The reason of the fault of a line that names a checkpoint and cannot be read. */
export const UNREADABLE = 'it names a checkpoint and cannot be read';
