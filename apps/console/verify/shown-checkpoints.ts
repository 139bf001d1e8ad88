import { checkpointDigest, type PublicKeys } from '../../../libs/audit/proof/signatures.js';
import { CheckpointChain, isCheckpoint } from '../../../libs/audit/verify/genuine-checkpoints.js';
import type { SignedCheckpoint } from '../../../libs/domain/checkpoints/checkpoint.events.js';
import type { Fault } from '../verification.js';

type Shown = {
  /** The last checkpoint, or null if there is none. */
  readonly last: SignedCheckpoint['checkpoint'] | null;
  /** The number of copies of which the service shows the checkpoint. */
  readonly compared: number;
  readonly faults: readonly Fault[];
};

const DIFFERS = 'it differs from the one that was collected elsewhere';

/**
 * Verifies all checkpoints that a service shows, oldest first: their signatures, that each follows the one before, and that they are
 * those that were collected elsewhere. All copies are compared, because a rewritten log may have been copied later.
 */
export const verifyShown = (shown: readonly unknown[], keys: PublicKeys, collected: readonly SignedCheckpoint[]): Shown => {
  const faults: Fault[] = [];
  const report = (index: number, reason: string | null): void => {
    if (reason !== null) faults.push({ place: `checkpoint ${index}`, reason });
  };
  const chain = new CheckpointChain(keys);
  const byIndex = new Map<number, SignedCheckpoint['checkpoint']>();
  for (const [index, signed] of shown.entries()) {
    if (!isCheckpoint(signed)) {
      report(index, 'it cannot be read');
      continue;
    }
    report(index, chain.faultOf({ checkpoint: signed.checkpoint, signature: signed.signature }));
    byIndex.set(signed.checkpoint.index, signed.checkpoint);
  }
  let compared = 0;
  for (const { checkpoint } of collected) {
    const own = byIndex.get(checkpoint.index);
    if (own) compared++;
    report(checkpoint.index, own ? differenceOf(own, checkpoint) : 'the service does not show it, but it is among your copies');
  }
  return { last: [...byIndex.values()].at(-1) ?? null, compared, faults };
};

const differenceOf = (own: SignedCheckpoint['checkpoint'], copy: SignedCheckpoint['checkpoint']): string | null =>
  checkpointDigest(own) === checkpointDigest(copy) ? null : DIFFERS;
