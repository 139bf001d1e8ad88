import { describe, expect, it } from '@jest/globals';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { chainedLog } from '../codec/chained-log.fixtures.js';
import { StreamFolds, type Folding } from './stream-folds.js';

/** Folds a stream to the revisions of its events. */
const REVISIONS: Folding<readonly number[]> = { initial: [], apply: (revisions, { meta }) => [...revisions, meta.revision] };
const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, revision) => revision);

describe('the fold of a stream', () => {
  const given = async (length: number) => {
    const chained = await chainedLog({ 'pet-1': length, 'pet-2': length });
    const { events } = chained;
    const log = chained.logWith(events);
    const ofPet = events.filter(({ stream }) => stream === 'pet-1').map((event) => log.codec.decode(event));
    const eventAt = (revision: number): RecordedEvent => {
      const event = ofPet[revision];
      if (!event) throw new Error(`no event ${revision}`);
      return event;
    };
    return { ...chained, log, eventAt };
  };

  it('is that just before and just after an event', async () => {
    const { log, eventAt } = await given(5);
    expect(await new StreamFolds(log, REVISIONS).around(eventAt(0))).toEqual([[], [0]]);
    expect(await new StreamFolds(log, REVISIONS).around(eventAt(3))).toEqual([upTo(2), upTo(3)]);
  });

  it('reads no event again for the next event', async () => {
    const { log, eventAt, reads } = await given(5);
    const folds = new StreamFolds(log, REVISIONS);
    await folds.around(eventAt(2));
    const before = reads();
    expect([await folds.around(eventAt(3)), reads()]).toEqual([[upTo(2), upTo(3)], before]);
  });

  it('reads the events between two events, and an earlier event from the start', async () => {
    const { log, eventAt } = await given(2_500);
    const folds = new StreamFolds(log, REVISIONS);
    for (const revision of [3, 1_200, 2_499, 7, 8]) {
      const [before, after] = await folds.around(eventAt(revision));
      expect([before, after]).toEqual([upTo(revision - 1), upTo(revision)]);
    }
  });

  it('has the events up to a position, or all of them', async () => {
    const { log, events, eventAt } = await given(5);
    const folds = new StreamFolds(log, REVISIONS);
    expect(await folds.upTo('pet-1', eventAt(2).position)).toEqual(upTo(2));
    expect(await folds.upTo('pet-1')).toEqual(upTo(4));
    expect(await folds.upTo('pet-1', eventAt(1).position)).toEqual(upTo(1));
    expect(await folds.upTo('pet-3')).toEqual([]);
    expect(events).toHaveLength(10);
  });

  it.each([
    ['before the kept fold: only a fold from the start finds it', 0, 'found by a fold from the start'],
    ['after the kept fold', 4, 'found'],
  ])('rejects an altered event %s', async (_, altered, expected) => {
    const { events, logWith, eventAt } = await given(5);
    let isAltered = false;
    const read = (stream: string, from?: number, limit?: number) => {
      const alteredEvents = events.map((event) =>
        isAltered && event.stream === 'pet-1' && event.revision === altered ? { ...event, data: '{"n":99}' } : event,
      );
      return logWith(alteredEvents).store.readStream(stream, from, limit);
    };
    const folds = new StreamFolds({ store: { readStream: read }, codec: logWith(events).codec }, REVISIONS);
    await folds.around(eventAt(2));
    isAltered = true;
    const outcome = await folds.upTo('pet-1').catch((error: unknown) => error);
    const again = await new StreamFolds({ store: { readStream: read }, codec: logWith(events).codec }, REVISIONS)
      .upTo('pet-1')
      .catch((error: unknown) => error);
    expect(again).toBeInstanceOf(BrokenHistory);
    expect(outcome instanceof BrokenHistory ? 'found' : 'found by a fold from the start').toBe(expected);
  });

  /** Proves contract 43.8. */
  it('is read from its start if it leaves out other events than are skipped now', async () => {
    const { log } = await given(3);
    let skipped: readonly number[] = [];
    const folds = new StreamFolds(log, {
      ...REVISIONS,
      apply: (revisions, { meta }) => (skipped.includes(meta.revision) ? revisions : [...revisions, meta.revision]),
      leavesOutSkipped: (_, revisions) => !skipped.some((revision) => revisions.includes(revision)),
    });
    expect(await folds.upTo('pet-1')).toEqual([0, 1, 2]);
    skipped = [1];
    expect(await folds.upTo('pet-1')).toEqual([0, 2]);
  });
});
