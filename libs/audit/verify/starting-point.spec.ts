import { describe, expect, it } from '@jest/globals';
import type { CheckpointState, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { auditedLog, rewriteChain, type AuditedLog } from '../audit.fixtures.js';

/** Creates a log with three checkpoints, which cover the first 4, 9 and 14 events. */
const signedLog = async (): Promise<{ readonly log: AuditedLog; readonly collected: readonly SignedCheckpoint[] }> => {
  const log = auditedLog();
  const collected: SignedCheckpoint[] = [];
  for (const tenant of ['shared', 'tenant-b', 'shared']) {
    await log.add('pet-1', 4, tenant);
    const made = await log.maker.make();
    if (made) collected.push(made);
  }
  expect(collected.map(({ checkpoint }) => checkpoint.size)).toEqual([4, 9, 14]);
  return { log, collected };
};

/** Proves contract 35.4. */
describe('an audit that starts at a given event', () => {
  it.each([
    [0, 0],
    [3, 0],
    [4, 4],
    [13, 9],
    [14, 14],
    [1_000, 14],
  ])('begins after the last checkpoint that covers at most %d events: after event %d', async (from, after) => {
    const { log, collected } = await signedLog();
    await log.add('pet-1', 1);
    expect(await log.verify(collected, { from })).toEqual({ from: after, events: 16 - after, unsigned: 1, matched: 14, faults: [] });
  });

  it('does not find an alteration before its start, and finds an alteration after it', async () => {
    const { log, collected } = await signedLog();
    const intact = log.events;
    const alter = (position: number): void => {
      log.events = intact.map((event) => (event.position === position ? { ...event, data: '{"status":"x"}' } : event));
    };
    alter(2);
    expect((await log.verify(collected, { from: 9 })).faults).toEqual([]);
    alter(11);
    expect((await log.verify(collected, { from: 9 })).faults).toMatchObject([{ kind: 'altered', stream: 'pet-1', revision: 8 }]);
  });

  it('finds a first checkpoint that differs from the collected checkpoint', async () => {
    const { log, collected } = await signedLog();
    await rewriteChain(log, 'pet-1', 5, () => ({ status: 'forged' }));
    log.events = log.events.filter(({ stream }) => stream !== 'checkpoint').map((event, index) => ({ ...event, position: index + 1 }));
    await log.newMaker().make();
    expect((await log.verify(collected, { from: 12 })).faults).not.toEqual([]);
  });

  it('finds an event that is older than the event before it', async () => {
    const { log } = await signedLog();
    log.clock.set(log.clock.now().getTime() - 60_000);
    await log.add('pet-2', 1);
    expect((await log.verify([], { from: 9 })).faults).toMatchObject([{ kind: 'time', stream: 'pet-2' }]);
    expect((await log.verify([], { from: 14 })).faults).toMatchObject([{ kind: 'time', stream: 'pet-2' }]);
  });

  it('begins at the first event if the log is a copy with other positions', async () => {
    const { log, collected } = await signedLog();
    log.events = log.events.map((event) => ({ ...event, position: event.position + 100 }));
    expect((await log.verify(collected, { from: 9 })).from).toBe(0);
  });

  it.each<[string, (state: CheckpointState) => unknown]>([
    ['skips events', ({ last, ...state }) => ({ ...state, last: { ...last, position: last.position + 1 } })],
    ['has other subtrees', (state) => ({ ...state, subtrees: state.subtrees.toReversed() })],
    ['has other tenants', (state) => ({ ...state, tenants: [] })],
    ['has no subtrees', (state) => ({ ...state, subtrees: null })],
  ])('does not use a stored state that %s, even if its hashes are valid', async (_, change) => {
    const { log, collected } = await signedLog();
    await rewriteChain(log, 'checkpoint', 2, (data) => {
      const { state, ...signed } = data as { readonly state: CheckpointState };
      return { ...signed, state: change(state) };
    });
    expect((await log.verify(collected, { from: 14 })).from).toBe(9);
  });
});

describe('an interrupted audit', () => {
  it('returns where the next audit can begin', async () => {
    const { log, collected } = await signedLog();
    const interruption = new AbortController();
    const onProgress = (position: number): void => {
      if (position >= 11) interruption.abort();
    };
    const { matched, events } = await log.verify(collected, { signal: interruption.signal, page: 1, onProgress });
    expect([matched, events]).toEqual([9, 11]);
    expect(await log.verify(collected, { from: matched })).toMatchObject({ from: 9, events: 6, faults: [] });
  });
});
