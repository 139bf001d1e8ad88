import { describe, expect, it } from '@jest/globals';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { trustingCodec } from '../../runtime/following/following.fixtures.js';
import type { Blobs } from '../../ports/blobs.port.js';
import { startRemovingUnnamedBlobs } from './unnamed-blobs.js';

const HOUR = 3_600_000;
const NOW = '2026-01-02T12:00:00.000Z';
const hoursAgo = (hours: number): Date => new Date(new Date(NOW).getTime() - hours * HOUR);
const added = (imageId: string, digest: string) => ({ type: 'PetPhotoAdded', data: { imageId, digest } });
const removed = (imageId: string, digest: string) => ({ type: 'PetPhotoRemoved', data: { imageId, digest } });

/** Starts the removal with these blobs and these streams. Returns the blobs that are left, and what was called. */
const setUp = (given: Readonly<Record<string, Date>>, streams: Readonly<Record<string, readonly object[] | Error>>) => {
  const clock = manualClock(NOW);
  const left = new Map(Object.entries(given));
  const read: string[] = [];
  const errors: unknown[] = [];
  const unfinishedBefore: string[] = [];
  const blobs = {
    async *list() {
      for (const [name, storedAt] of [...left]) yield { name, storedAt };
    },
    remove: async (name: string) => void left.delete(name),
    removeUnfinished: async (before: Date) => void unfinishedBefore.push(before.toISOString()),
  } as Partial<Blobs> as Blobs;
  const readStream = async (stream: string): Promise<readonly StoredEvent[]> => {
    read.push(stream);
    const events = streams[stream];
    if (events instanceof Error) throw events;
    return (events ?? []) as unknown as readonly StoredEvent[];
  };
  const codec = { ...trustingCodec, decode: (event: StoredEvent) => event as unknown as RecordedEvent };
  const stop = startRemovingUnnamedBlobs({ clock, blobs, store: { readStream }, codec, onError: (error) => errors.push(error) });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    for (let turns = 0; turns < 50; turns++) await yieldToEventLoop();
  };
  return { left, read, errors, unfinishedBefore, stop, pass };
};

/** Proves contract 37.8. */
describe('blobs that no event names', () => {
  it('are removed if they belong to interrupted uploads, lost races, removed images or unknown pets', async () => {
    const old = hoursAgo(2);
    const { left, errors, stop, pass } = setUp(
      { 'p.i1.a': old, 'p.i1.b': old, 'p.i2.c': old, 'p.i3.d': old, 'q.i4.e': old },
      { 'pet-p': [added('i1', 'a'), added('i2', 'c'), removed('i2', 'c')] },
    );
    await pass(60_000);
    expect([[...left.keys()], errors]).toEqual([['p.i1.a'], []]);
    await stop();
  });

  it('are kept for an hour, in which an event may follow', async () => {
    const { left, unfinishedBefore, stop, pass } = setUp({ 'p.i1.a': hoursAgo(0.5) }, {});
    await pass(60_000);
    expect([...left.keys()]).toEqual(['p.i1.a']);
    await pass(HOUR);
    expect([[...left.keys()], unfinishedBefore]).toEqual([[], ['2026-01-02T11:01:00.000Z', '2026-01-02T12:01:00.000Z']]);
    await stop();
  });

  it('are looked for only among blobs that were not checked before', async () => {
    const { read, stop, pass } = setUp({ 'p.i1.a': hoursAgo(2) }, { 'pet-p': [added('i1', 'a')] });
    await pass(60_000);
    await pass(HOUR);
    expect(read).toEqual(['pet-p']);
    await stop();
  });

  it('are kept if the events of their pet cannot be read', async () => {
    const fault = { stream: 'pet-p', revision: 0, kind: 'altered', reason: 'altered', tenant: null } as const;
    const { left, errors, stop, pass } = setUp({ 'p.i1.a': hoursAgo(2), foreign: hoursAgo(2) }, { 'pet-p': new BrokenHistory(fault) });
    await pass(60_000);
    expect([[...left.keys()], errors.length]).toEqual([['p.i1.a', 'foreign'], 1]);
    await stop();
  });

  it('are looked for again after a failure', async () => {
    const { left, errors, stop, pass } = setUp({ 'p.i1.a': hoursAgo(2) }, { 'pet-p': new Error('the store is down') });
    await pass(60_000);
    expect([[...left.keys()], errors.length]).toEqual([['p.i1.a'], 1]);
    await pass(HOUR);
    expect(errors).toHaveLength(2);
    await stop();
  });
});
