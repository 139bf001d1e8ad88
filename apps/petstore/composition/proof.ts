import { readFileSync } from 'node:fs';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { CheckpointMaker, type CheckpointDependencies } from '../../../libs/audit/checkpoints/checkpoint-maker.js';
import { InvalidSigningKey, openProofKeys, type ProofKeys } from '../../../libs/audit/keys/proof-keys.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKeyList } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import { reasonOf } from '../../../libs/eventsourcing/reason.js';
import { CommandError } from '../errors/command-error.js';

/** What proves that a log is whole: the maker of checkpoints, and the keys that sign and verify checkpoints. */
export type Proof = { readonly checkpoints: CheckpointMaker; readonly proofKeys: ProofKeys };

type ProofDependencies = Omit<CheckpointDependencies, 'signingKey'> & { readonly keys: KeyVault & ServiceKeyList };

/**
 * Opens the proof of a store. Creates the first key that signs checkpoints if neither SIGNING_KEY_FILE nor the store has one.
 * Rejects with CommandError if SIGNING_KEY_FILE cannot be used.
 */
export const openProof = async ({ keys, ...dependencies }: ProofDependencies, signingKeyFile: string | undefined): Promise<Proof> => {
  const proofKeys = openKeysOfProof(keys, signingKeyFile, dependencies.clock);
  await proofKeys.newest();
  return { proofKeys, checkpoints: new CheckpointMaker({ ...dependencies, signingKey: () => proofKeys.newest() }) };
};

/** Opens the keys that sign and verify checkpoints. Throws CommandError if SIGNING_KEY_FILE cannot be used. */
export const openKeysOfProof = (
  keys: KeyVault & ServiceKeyList,
  signingKeyFile: string | undefined,
  clock: Clock = systemClock,
): ProofKeys => {
  try {
    return openProofKeys({ vault: keys, clock }, signingKeyFile === undefined ? undefined : readFileSync(signingKeyFile, 'utf8'));
  } catch (error) {
    if (error instanceof InvalidSigningKey || isFileError(error))
      throw new CommandError(`SIGNING_KEY_FILE ${signingKeyFile}: ${reasonOf(error)}`);
    throw error;
  }
};

const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
