import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RelayUnderTest } from './relay.fixtures.js';
import { republish } from './republish.js';

describe('a relay whose topics have lost messages', () => {
  let under: RelayUnderTest;
  beforeEach(() => void (under = new RelayUnderTest()));
  afterEach(() => under.close());

  const publishTwo = async (): Promise<void> => {
    under.log.add('thing-1', 'thing-2');
    const relay = under.start();
    await under.until(() => under.stored === 2);
    await relay.stop();
  };

  it.each([
    ['that were deleted', () => (under.ends = {}), /things\/0 ends at 0 but was published up to 2.*petstore topics republish/],
    ['that end earlier', () => (under.ends['things/0'] = 1), /things\/0 ends at 1 but was published up to 2/],
    ['of another cluster', () => (under.cluster = 'kafka-two'), /cluster kafka-one, but KAFKA_BROKERS leads to kafka-two/],
  ])('publishes nothing to topics %s, and reports the reason', async (_, lose, words) => {
    await publishTwo();
    lose();
    under.log.add('thing-3');
    const relay = under.start();
    await under.until(() => relay.blockedReason() !== null);
    expect(relay.blockedReason()).toMatch(words);
    expect(under.errors).toMatchObject([{ name: 'TopicsLost' }]);
    expect([under.all(), under.stored, under.opened]).toEqual([['thing-1/1', 'thing-2/1'], 2, 1]);
  });

  it('continues once the messages are back', async () => {
    await publishTwo();
    under.ends = {};
    const relay = under.start();
    await under.until(() => relay.blockedReason() !== null);
    under.ends = { 'things/0': 2 };
    under.log.add('thing-3');
    await under.until(() => under.stored === 3);
    expect(relay.blockedReason()).toBeNull();
  });

  it('publishes everything again after an operator starts a republish', async () => {
    await publishTwo();
    under.ends = {};
    const relay = under.start();
    await under.until(() => relay.blockedReason() !== null);
    await relay.stop();
    const started = await republish({
      documents: { prepare: async () => undefined, clear: async () => void (under.recorded = null) },
      deleteCheckpoint: async () => void (under.stored = 0),
      leases: under.leasing.leases,
      owner: 'operator',
      clock: under.clock,
    });
    expect(started).toBe(true);
    under.start();
    await under.until(() => under.stored === 2);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/1', 'thing-2/1']);
  });

  it('does not allow a republish while it is running', async () => {
    under.start();
    await under.until(() => under.opened === 1);
    let answer: boolean | null = null;
    const never = async (): Promise<void> => Promise.reject(new Error('nothing may be deleted'));
    const documents = { prepare: never, clear: never };
    void republish({ documents, deleteCheckpoint: never, leases: under.leasing.leases, owner: 'operator', clock: under.clock }).then(
      (is) => (answer = is),
    );
    await under.until(() => answer !== null);
    expect(answer).toBe(false);
  });
});
