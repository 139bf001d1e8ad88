import { describe, expect, it } from '@jest/globals';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { copyForgottenDay, forgetSecurityEvents } from './forget-security-events.js';

const DAY = 86_400_000;

/** A store that records the names of the destroyed keys. */
const storeOf = () => {
  const destroyed: string[] = [];
  let position = 0;
  const documents = {
    checkpoint: async () => position,
    apply: async (_: unknown, checkpoint?: { readonly position: number }) => {
      position = checkpoint?.position ?? position;
      return true;
    },
  } as unknown as Documents;
  const keys = { destroyPersonalKey: async (name: string) => void destroyed.push(name) } as unknown as KeyVault;
  const forgetAt = (time: string) =>
    forgetSecurityEvents({ clock: manualClock(time), keys, documents, securityLogRetentionMilliseconds: 10 * DAY });
  return { documents, destroyed, forgetAt };
};

/** Proves contract 34.2. */
describe('the keys of days that ended longer ago than the retention', () => {
  it('are destroyed, each key only once', async () => {
    const { forgetAt, destroyed } = storeOf();
    for (const time of ['2026-01-20T03:00:00Z', '2026-01-20T04:00:00Z', '2026-01-22T03:00:00Z']) await forgetAt(time);
    expect(destroyed).toEqual(['2026-01-09', '2026-01-10', '2026-01-11'].map((day) => expect.stringContaining(day) as unknown));
  });

  it('are destroyed in a copy, also if the store was stopped for days before it was copied', async () => {
    const [store, copy] = [storeOf(), storeOf()];
    await store.forgetAt('2026-01-20T03:00:00Z');
    await copyForgottenDay(store.documents, copy.documents);
    await copy.forgetAt('2026-01-23T03:00:00Z');
    expect(copy.destroyed).toEqual(['2026-01-10', '2026-01-11', '2026-01-12'].map((day) => expect.stringContaining(day) as unknown));
  });
});
