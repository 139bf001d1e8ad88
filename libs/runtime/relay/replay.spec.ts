import { describe, expect, it } from '@jest/globals';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';
import { createTestLog, decodeTestEvent, trustingCodec } from '../following/following.fixtures.js';
import { messagesFor } from './relay.fixtures.js';
import { replayMessages } from './replay.js';

/** The time of the event at position `count`: as many seconds after midnight. */
const second = (count: number): Date => new Date(Date.UTC(2026, 0, 2) + count * 1_000);
const REPLAYED_AT = second(3_600);

const codec: ReadCodec = {
  ...trustingCodec,
  verify: ({ stream, revision }) => {
    if (stream === 'thing-broken' && revision > 0)
      throw new BrokenHistory({ stream, revision, kind: 'altered', reason: 'its hash differs', tenant: 'shared' });
    return '';
  },
  decode: (event) => {
    const decoded = decodeTestEvent(event);
    return { ...decoded, meta: { ...decoded.meta, time: second(event.position).toISOString() } };
  },
};

/** Replays the events of a log in memory whose time is at or after second `from`, and before second `to`. */
const replayed = async (events: readonly string[], from: number, to: number, upTo = events.length) => {
  const log = createTestLog();
  log.add(...events);
  const sent: PublicMessage[] = [];
  const result = await replayMessages(
    { isIncluded: (stream) => stream.startsWith('thing-'), from: second(from), to: second(to) },
    {
      codec,
      store: { ...log.store, readAll: async (after, limit) => log.events.slice(after, after + limit) },
      messageOf: messagesFor('Made'),
      publisher: {
        publish: async (messages) => {
          sent.push(...messages);
          return {};
        },
      },
      upTo,
      replayedAt: REPLAYED_AT,
      onProgress: () => undefined,
    },
  );
  return { result, sent, names: sent.map(({ key, attributes }) => `${key}/${attributes['sequence']}`) };
};

/** Proves contract 22.8. */
describe('a replay', () => {
  const EVENTS = ['thing-1', 'thing-2', 'other-1', 'thing-1', 'thing-1', 'thing-2'];

  it('publishes the messages of its time range again: the start is included, the end is not', async () => {
    const { names, result } = await replayed(EVENTS, 2, 5);
    expect(names).toEqual(['thing-2/1', 'thing-1/2']);
    expect(result).toEqual({ published: 2, faults: [] });
  });

  it('marks the messages as replayed, and changes nothing else in them', async () => {
    const { sent } = await replayed(EVENTS, 1, 2);
    expect(sent).toEqual([
      {
        topic: 'things',
        key: 'thing-1',
        attributes: { subject: 'thing-1', sequence: '1', replayedat: REPLAYED_AT.toISOString() },
        data: '{}',
      },
    ]);
  });

  it('skips events that the relay has not published yet', async () =>
    expect((await replayed(EVENTS, 0, 100, 4)).names).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/2']));

  it('publishes more events than fit into one page', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `thing-${index % 7}`);
    expect((await replayed(many, 0, 10_000)).result.published).toBe(2_500);
  });

  it('names a broken stream, and publishes only its intact events', async () => {
    const { names, result } = await replayed(['thing-broken', 'thing-broken', 'thing-1'], 0, 100);
    expect(names).toEqual(['thing-broken/1', 'thing-1/1']);
    expect(result.faults).toMatchObject([{ stream: 'thing-broken', revision: 1 }]);
  });
});
