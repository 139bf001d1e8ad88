import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isCheckpoint } from '../../../../libs/audit/checkpoints/checkpoint-log.js';
import { publicKeysOf, type PublicJwk } from '../../../../libs/audit/keys/proof-keys.js';
import { keyIdOf, type PublicKeys } from '../../../../libs/audit/proof/signatures.js';
import { forgeryOf } from '../../../../libs/audit/verify/genuine-checkpoints.js';
import type { SignedCheckpoint } from '../../../../libs/domain/checkpoints/checkpoint.events.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { CommandError } from '../../errors/command-error.js';

const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** Reads public keys from a file: the output of `audit key`, or keys in PEM. Throws CommandError if the file has none. */
export const readPublicKeys = (path: string): PublicKeys => {
  const text = readText(path, '--key');
  try {
    const keys = text.trimStart().startsWith('{')
      ? publicKeysOf((JSON.parse(text) as { readonly keys: readonly PublicJwk[] }).keys)
      : new Map((text.match(PEM_BLOCK) ?? []).map((block) => createPublicKey(block)).map((key) => [keyIdOf(key), key]));
    if (keys.size > 0) return keys;
  } catch {
    // The message below says what the file must contain.
  }
  throw new CommandError(`--key ${path}: expected the output of "audit key", or Ed25519 public keys in PEM`);
};

/**
 * Reads checkpoints from a file of JSON lines: the output of `audit checkpoints`, the data of messages of the
 * topic petstore.checkpoints.v1, or log lines. Lines without a checkpoint are ignored. Throws CommandError if no line has a
 * checkpoint, or if the signature of a checkpoint does not match the keys.
 */
export const readCollected = (path: string, keys: PublicKeys): readonly SignedCheckpoint[] => {
  const found = readText(path, '--against').split('\n').flatMap(checkpointsIn);
  if (found.length === 0) throw new CommandError(`--against ${path}: no line has a checkpoint`);
  for (const signed of found) {
    const reason = forgeryOf(keys, signed);
    if (reason !== null) throw new CommandError(`--against ${path}: checkpoint ${signed.checkpoint.index}: ${reason}`);
  }
  return found;
};

const checkpointsIn = (line: string): readonly SignedCheckpoint[] => {
  try {
    const { checkpoint, signature } = JSON.parse(line) as SignedCheckpoint;
    return isCheckpoint({ checkpoint, signature }) ? [{ checkpoint, signature }] : [];
  } catch {
    return [];
  }
};

const readText = (path: string, option: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${option} ${path}: ${reasonOf(error)}`);
  }
};
