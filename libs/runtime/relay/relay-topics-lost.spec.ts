import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RelayUnderTest } from './relay.fixtures.js';
import { republish } from './republish.js';

describe('a relay of whose topics messages are lost', () => {
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
    ['that were deleted', () => (under.ends = {}), /things\/0 ends at 0, and was published up to 2.*petstore topics republish/],
    ['that end earlier', () => (under.ends['things/0'] = 1), /things\/0 ends at 1, and was published up to 2/],
    ['that are another cluster’s', () => (under.cluster = 'kafka-two'), /cluster kafka-one, and KAFKA_BROKERS names kafka-two/],
  ])('publishes nothing to those %s, and says why', async (_, lose, words) => {
    await publishTwo();
    lose();
    under.log.add('thing-3');
    const relay = under.start();
    await under.until(() => relay.refusal() !== null);
    expect(relay.refusal()).toMatch(words);
    expect(under.errors).toMatchObject([{ name: 'TopicsLost' }]);
    expect([under.all(), under.stored, under.opened]).toEqual([['thing-1/1', 'thing-2/1'], 2, 1]);
  });

  it('goes on once they are there again', async () => {
    await publishTwo();
    under.ends = {};
    const relay = under.start();
    await under.until(() => relay.refusal() !== null);
    under.ends = { 'things/0': 2 };
    under.log.add('thing-3');
    await under.until(() => under.stored === 3);
    expect(relay.refusal()).toBeNull();
  });

  it('publishes everything again once an operator has it begin anew', async () => {
    await publishTwo();
    under.ends = {};
    const relay = under.start();
    await under.until(() => relay.refusal() !== null);
    await relay.stop();
    const begun = await republish({
      documents: { prepare: async () => undefined, clear: async () => void (under.recorded = null) },
      forgetCheckpoint: async () => void (under.stored = 0),
      leases: under.leasing.leases,
      holder: 'operator',
      clock: under.clock,
    });
    expect(begun).toBe(true);
    under.start();
    await under.until(() => under.stored === 2);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-1/1', 'thing-2/1']);
  });

  it('is left alone by an operator while it is at work', async () => {
    under.start();
    await under.until(() => under.opened === 1);
    let answer: boolean | null = null;
    const never = async (): Promise<void> => Promise.reject(new Error('nothing may be forgotten'));
    const documents = { prepare: never, clear: never };
    void republish({ documents, forgetCheckpoint: never, leases: under.leasing.leases, holder: 'operator', clock: under.clock }).then(
      (is) => (answer = is),
    );
    await under.until(() => answer !== null);
    expect(answer).toBe(false);
  });
});
