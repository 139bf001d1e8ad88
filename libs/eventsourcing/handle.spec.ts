import { describe, expect, it } from '@jest/globals';
import { counters, context, add, memoryStore, encode, codec } from './counters.fixtures.js';
import { Aggregates } from './aggregates.js';
import { MAX_ATTEMPTS } from './handle.js';
import type { StoredEvent } from './ports/event-store.port.js';

// `handleObserved` wraps `handle`, so it keeps the same promises.
describe.each(['this process', 'many processes'] as const)('handling a command where %s may write', (writers) => {
  it('appends the events and returns the new state', async () => {
    const { store, streams } = memoryStore();
    const outcome = await new Aggregates(store, codec, writers).handle(counters, '1', add(2), context);
    expect(outcome).toMatchObject({ state: { count: 1 }, end: { revision: 0 }, events: [{ type: 'Added', data: { by: 1 } }] });
    expect(streams.get('counter-1')).toHaveLength(1);
  });

  it('folds the stored events and caches the state', async () => {
    const { store, reads } = memoryStore();
    const aggregates = new Aggregates(store, codec, writers);
    await aggregates.handle(counters, '1', add(9), context);
    await aggregates.handle(counters, '1', add(9), context);
    const known = reads();
    expect(await aggregates.handle(counters, '1', add(9), context)).toMatchObject({ state: { count: 3 } });
    expect(reads()).toBe(known);
  });

  it('returns a rejection and writes nothing', async () => {
    const { store, streams } = memoryStore();
    expect(await new Aggregates(store, codec, writers).handle(counters, '1', add(0), context)).toEqual({ rejected: 'full' });
    expect(streams.size).toBe(0);
  });

  it('writes nothing when there is nothing to do', async () => {
    const { store, streams } = memoryStore();
    expect(await new Aggregates(store, codec, writers).handle(counters, '1', add(-1), context)).toMatchObject({ events: [] });
    expect(streams.size).toBe(0);
  });

  it('decides again after another writer appended first', async () => {
    const once = [encode('Added', { by: 1 })];
    let intruded = false;
    const { store } = memoryStore(async (append) => intruded || ((intruded = true), await append('counter-1', 'none', once)));
    expect(await new Aggregates(store, codec, writers).handle(counters, '1', add(1), context)).toEqual({ rejected: 'full' });
  });

  it('gives up after repeated conflicts', async () => {
    let revision = -1;
    const { store } = memoryStore((append) =>
      append('counter-1', revision < 0 ? 'none' : revision, [encode('Added', { by: 1 })]).then(() => revision++),
    );
    expect(await new Aggregates(store, codec, writers).handle(counters, '1', add(1e9), context)).toEqual({ rejected: 'contended' });
    expect(revision).toBe(MAX_ATTEMPTS - 1);
  });

  it('is rejected when its precondition fails, or when a conflict occurs under a precondition', async () => {
    const intruder = memoryStore((append) => append('counter-1', 'none', [encode('Added', { by: 1 })]));
    const accept = { precondition: () => true };
    const refuse = { precondition: () => false };
    expect(await new Aggregates(intruder.store, codec, writers).handle(counters, '1', add(9), context, accept)).toEqual({
      rejected: 'precondition_failed',
    });
    expect(await new Aggregates(memoryStore().store, codec, writers).handle(counters, '1', add(9), context, refuse)).toEqual({
      rejected: 'precondition_failed',
    });
  });

  it('hides another tenant’s stream from the decider and never writes to it', async () => {
    const { store, streams } = memoryStore();
    const aggregates = new Aggregates(store, codec, writers);
    await aggregates.handle(counters, '1', add(9), context);
    await expect(aggregates.handle(counters, '1', add(9), { ...context, tenant: 'other' })).rejects.toThrow("another tenant's");
    expect(streams.get('counter-1')).toHaveLength(1);
  });
});

describe('handling a command where other processes write too', () => {
  const event = (revision: number, by: number): StoredEvent => ({
    ...encode('Added', { by }),
    stream: 'counter-1',
    revision,
    position: 0,
  });
  /**
   * Starts a process on a store with the events `inStore`. The process has observed the first `observed` of them, and the
   * whole log up to the position `upTo`.
   */
  const startProcess = async (inStore: readonly StoredEvent[], observed: number, upTo = 0) => {
    const { store, streams, reads } = memoryStore();
    streams.set('counter-1', [...inStore]);
    const tail = inStore.slice(0, observed);
    const observedEvents = (stream: string, from: number) => ({ events: stream === 'counter-1' ? tail.slice(from) : [], upTo });
    const aggregates = new Aggregates(store, codec, 'many processes', observedEvents);
    return { aggregates, streams, reads };
  };

  it('appends after the observed events without reading the store', async () => {
    const { aggregates, streams, reads } = await startProcess([event(0, 1), event(1, 1)], 2);
    expect(await aggregates.handle(counters, '1', add(3), context)).toMatchObject({ state: { count: 3 }, end: { revision: 2 } });
    expect([streams.get('counter-1')?.length, reads()]).toEqual([3, 0]);
  });

  it('caches the streams that it started', async () => {
    const { aggregates, reads } = await startProcess([], 0);
    await aggregates.handle(counters, '1', add(2), context, { isNew: true });
    expect(await aggregates.handle(counters, '1', add(2), context)).toMatchObject({ state: { count: 2 } });
    expect(reads()).toBe(0);
  });

  it('decides again on the stored stream after a conflict', async () => {
    const { aggregates, streams, reads } = await startProcess([event(0, 1), event(1, 5)], 1);
    expect(await aggregates.handle(counters, '1', add(3), context)).toEqual({ rejected: 'full' });
    expect([streams.get('counter-1')?.length, reads()]).toEqual([2, 1]);
  });

  it('rejects, or does nothing, only after reading the store', async () => {
    const refused = await startProcess([event(0, 5), event(1, -5)], 1);
    expect(await refused.aggregates.handle(counters, '1', add(3), context)).toMatchObject({ state: { count: 1 }, end: { revision: 2 } });
    const idle = await startProcess([event(0, 1), event(1, 1)], 1);
    expect(await idle.aggregates.handle(counters, '1', add(-1), context)).toMatchObject({ state: { count: 2 }, events: [] });
    expect([refused.reads(), idle.reads()]).toEqual([1, 1]);
  });

  it('does nothing without reading the store if the log was observed up to the cause, but always reads it to reject', async () => {
    const caused = { ...context, causedAt: 7 };
    const idle = await startProcess([event(0, 1)], 1, 7);
    expect(await idle.aggregates.handle(counters, '1', add(-1), caused)).toMatchObject({ state: { count: 1 }, events: [] });
    const early = await startProcess([event(0, 1)], 1, 6);
    expect(await early.aggregates.handle(counters, '1', add(-1), caused)).toMatchObject({ events: [] });
    const refused = await startProcess([event(0, 5)], 1, 7);
    expect(await refused.aggregates.handle(counters, '1', add(3), caused)).toEqual({ rejected: 'full' });
    const unmet = await startProcess([event(0, 1)], 1, 7);
    const precondition = (): boolean => false;
    expect(await unmet.aggregates.handle(counters, '1', add(-1), caused, { precondition })).toEqual({ rejected: 'precondition_failed' });
    expect([idle.reads(), early.reads(), refused.reads(), unmet.reads()]).toEqual([0, 1, 1, 1]);
  });

  it('checks the precondition on the stored stream after a conflict, unless the decider rejects', async () => {
    const precondition = ({ end }: { readonly end: { readonly revision: unknown } }): boolean => end.revision === 0 || end.revision === 1;
    const both = await startProcess([event(0, 1), event(1, 1)], 1);
    expect(await both.aggregates.handle(counters, '1', add(3), context, { precondition })).toMatchObject({ end: { revision: 2 } });
    const refused = await startProcess([event(0, 1), event(1, 5)], 1);
    expect(await refused.aggregates.handle(counters, '1', add(3), context, { precondition })).toEqual({ rejected: 'full' });
    const changed = await startProcess([event(0, 1), event(1, 1), event(2, 0)], 1);
    expect(await changed.aggregates.handle(counters, '1', add(3), context, { precondition })).toEqual({ rejected: 'precondition_failed' });
  });

  it('reads the store before it reports that a precondition failed', async () => {
    const { aggregates } = await startProcess([event(0, 1), event(1, 1)], 1);
    const precondition = ({ end }: { readonly end: { readonly revision: unknown } }): boolean => end.revision === 1;
    expect(await aggregates.handle(counters, '1', add(3), context, { precondition })).toMatchObject({ end: { revision: 2 } });
  });
});
