import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { advanceBy, runPending } from '../following/following.fixtures.js';
import { RelayUnderTest } from './relay.fixtures.js';
import { DRAIN_LIMIT } from './spread-move.js';
import { changeSpread, readSpread, recordSpread, type SpreadDocuments } from './topic-spread.js';

/** Proves contract 22.7. */
describe('a relay that moves keys to more partitions', () => {
  let under: RelayUnderTest;
  let documents: SpreadDocuments;
  beforeEach(async () => {
    under = new RelayUnderTest();
    ({ documents } = under);
    await recordSpread(documents, { things: 6, others: 12 });
  });
  afterEach(() => under.close());

  const request = (requested: number) => changeSpread(documents, (spread) => ({ ...spread, requested }));
  const spreadNow = () => readSpread(documents);
  const publishOne = async (): Promise<void> => {
    under.log.add('thing-1');
    under.start();
    await under.until(() => under.stored === 1);
  };

  it('publishes nothing until the consumers have handled everything, and then to the new partitions', async () => {
    await publishOne();
    under.consumers = { processes: { behind: 1, parked: 0 } };
    await request(12);
    const openedBefore = under.opened;
    // The publisher that is opened without publishing fences all earlier ones.
    await under.until(() => under.opened === openedBefore + 1);
    under.log.add('thing-2');
    await runPending();
    expect([under.all(), under.partitionsAdded, (await spreadNow()).partitions]).toEqual([['thing-1/1'], [], { things: 6, others: 12 }]);
    under.consumers = { processes: { behind: 0, parked: 0 } };
    await under.until(() => under.stored === 2);
    expect(await spreadNow()).toEqual({ partitions: { things: 12, others: 12 }, requested: null, failure: null });
    expect([under.all(), under.partitionsAdded, under.opened, under.errors]).toEqual([
      ['thing-1/1', 'thing-2/1'],
      [12],
      openedBefore + 2,
      [],
    ]);
  });

  it.each([
    ['behind', { behind: 3, parked: 0 }, /within 60 s the consumer processes did not handle all messages \(3 behind, 0 parked keys\)/],
    ['parked', { behind: 0, parked: 2 }, /\(0 behind, 2 parked keys\): wait until nothing is behind or parked/],
  ])('gives up if messages stay %s, and publishes to the old partitions again', async (_, state, text) => {
    await publishOne();
    under.consumers = { announcements: { behind: 0, parked: 0 }, processes: state };
    await request(12);
    const openedBefore = under.opened;
    await under.until(() => under.opened === openedBefore + 1);
    under.log.add('thing-2');
    await advanceBy(under.clock, DRAIN_LIMIT - 1_000);
    expect(under.stored).toBe(1);
    await under.until(() => under.stored === 2);
    expect(await spreadNow()).toEqual({
      partitions: { things: 6, others: 12 },
      requested: null,
      failure: expect.stringMatching(text),
    });
    expect([under.partitionsAdded, under.all()]).toEqual([[], ['thing-1/1', 'thing-2/1']]);
  });

  it('reports why the brokers add no partitions', async () => {
    under.refusal = 'the brokers refuse';
    await request(12);
    await publishOne();
    expect(await spreadNow()).toMatchObject({ partitions: { things: 6 }, requested: null, failure: 'the brokers refuse' });
  });

  it('leaves the request to the next relay if it stops meanwhile', async () => {
    under.consumers = { processes: { behind: 1, parked: 0 } };
    await request(12);
    const relay = under.start();
    await under.until(() => under.opened === 1);
    await relay.stop();
    expect(await spreadNow()).toMatchObject({ requested: 12, failure: null });
    under.consumers = {};
    await publishOne();
    expect(await spreadNow()).toMatchObject({ partitions: { things: 12 }, requested: null });
  });

  it('keeps a recorded number, and records a topic that is new', async () => {
    await recordSpread(documents, { things: 24, new: 3 });
    expect((await spreadNow()).partitions).toEqual({ things: 6, others: 12, new: 3 });
  });
});
