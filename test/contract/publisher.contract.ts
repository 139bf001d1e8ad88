import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '../../libs/eventsourcing/ports/leases.port.js';
import type { PublicMessage, Publisher } from '../../libs/eventsourcing/ports/publisher.port.js';
import { eventually } from '../eventually.js';

/** A message as a consumer receives it. */
export type ReceivedMessage = Pick<PublicMessage, 'key' | 'attributes' | 'data'>;

/** A topic, functions that open publishers on it, all with the same name, and the messages that a consumer has received. */
export type PublisherUnderTest = {
  readonly topic: string;
  /** Opens a publisher, which fences all older ones. */
  readonly open: () => Promise<Publisher>;
  /**
   * Opens a publisher that does not receive the response to its first batch: the connection breaks after the server has stored
   * the batch.
   */
  readonly openLosingResponse: () => Promise<Publisher>;
  /** The committed messages of the topic so far, in order of arrival. */
  readonly received: () => readonly ReceivedMessage[];
  readonly close: () => Promise<void>;
};

/** The contract of Publisher. It proves contract 22.4. */
export const publisherContract = (name: string, make: () => Promise<PublisherUnderTest>): void => {
  describe(`${name} as a publisher`, () => {
    let subject: PublisherUnderTest;
    let publishers: Publisher[];
    beforeEach(async () => {
      subject = await make();
      publishers = [];
    });
    afterEach(async () => {
      for (const publisher of publishers) await publisher.close();
      await subject.close();
    });

    const track = async (opening: Promise<Publisher>): Promise<Publisher> => {
      const publisher = await opening;
      publishers.push(publisher);
      return publisher;
    };
    const message = (key: string, sequence: number, data: unknown = { sequence }): PublicMessage => ({
      topic: subject.topic,
      key,
      attributes: {
        specversion: '1.0',
        id: `${key}/${sequence}`,
        type: 'petstore.thing.made.v1',
        source: '/petstore/things',
        subject: `thing-${key}`,
        time: '2026-01-02T03:04:05.678Z',
        datacontenttype: 'application/json',
        tenantid: 'shared',
        sequence: String(sequence),
        eventtype: 'Made',
      },
      data: JSON.stringify(data),
    });
    const idsOf = (key: string): string[] =>
      subject
        .received()
        .filter((received) => received.key === key)
        .map(({ attributes }) => attributes['id'] ?? '');
    const sequence = (key: string, count: number, from = 1): PublicMessage[] =>
      Array.from({ length: count }, (_, index) => message(key, from + index));
    const waitForMessages = (key: string, count: number): Promise<unknown> =>
      eventually(`${count} messages with the key ${key}`, () => idsOf(key).length >= count);

    it('delivers a message unchanged', async () => {
      const publisher = await track(subject.open());
      const sent = message('a', 1, { text: 'even “cats” 🐈', nothing: null, list: [1, 2] });
      await publisher.publish([sent]);
      await waitForMessages('a', 1);
      const { key, attributes, data } = sent;
      expect(subject.received()).toEqual([{ key, attributes, data }]);
    });

    it('keeps the messages of a key in order, even if batches are published without waiting for the previous one', async () => {
      const publisher = await track(subject.open());
      const all = ['a', 'b', 'c'].map((key) => sequence(key, 300));
      const mixed = all[0].flatMap((_, index) => all.map((messages) => messages[index]));
      const batches = [mixed.slice(0, 200), mixed.slice(200, 201), mixed.slice(201, 700), mixed.slice(700)];
      await Promise.all(batches.map((batch) => publisher.publish(batch)));
      await eventually('everything', () => subject.received().length >= mixed.length);
      for (const messages of all) expect(idsOf(messages[0].key)).toEqual(messages.map(({ attributes }) => attributes['id']));
    });

    it('accepts an empty batch', async () => {
      const publisher = await track(subject.open());
      await publisher.publish([]);
      await publisher.publish(sequence('a', 1));
      await waitForMessages('a', 1);
      expect(subject.received()).toHaveLength(1);
    });

    it('accepts several messages of the maximum body size at once', async () => {
      const publisher = await track(subject.open());
      const text = 'x'.repeat(1_000_000);
      await publisher.publish([1, 2, 3].map((index) => message('a', index, { text })));
      await waitForMessages('a', 3);
      expect(idsOf('a')).toEqual(['a/1', 'a/2', 'a/3']);
    });

    it('delivers nothing after a newer publisher with the same name is opened', async () => {
      const older = await track(subject.open());
      await older.publish(sequence('a', 1));
      const newer = await track(subject.open());
      await expect(older.publish(sequence('a', 1, 2))).rejects.toBeInstanceOf(LeaseLost);
      await expect(older.publish(sequence('a', 1, 3))).rejects.toBeInstanceOf(LeaseLost);
      await newer.publish(sequence('a', 1, 4));
      await waitForMessages('a', 2);
      expect(idsOf('a')).toEqual(['a/1', 'a/4']);
    });

    it('rejects even its first batch after a newer publisher with the same name is opened', async () => {
      const older = await track(subject.open());
      const newer = await track(subject.open());
      await expect(older.publish(sequence('a', 1))).rejects.toBeInstanceOf(LeaseLost);
      await newer.publish(sequence('a', 1, 2));
      await waitForMessages('a', 1);
      expect(idsOf('a')).toEqual(['a/2']);
    });

    it('rejects when it loses the response to a batch; sending again repeats messages but loses and reorders none', async () => {
      const publisher = await track(subject.openLosingResponse());
      const batch = sequence('a', 50);
      await expect(publisher.publish(batch)).rejects.toMatchObject({ name: 'StoreUnavailable' });
      const next = await track(subject.open());
      await next.publish(batch);
      await next.publish(sequence('a', 1, 51));
      await eventually('the last message', () => idsOf('a').includes('a/51'));
      const ids = batch.map(({ attributes }) => attributes['id']);
      expect(idsOf('a')).toEqual([...ids, ...ids, 'a/51']);
    });

    it('stays unusable after a failure', async () => {
      const publisher = await track(subject.openLosingResponse());
      await expect(publisher.publish(sequence('a', 1))).rejects.toThrow();
      await expect(publisher.publish(sequence('a', 1, 2))).rejects.toThrow();
    });

    it('sends nothing after it is closed', async () => {
      const publisher = await track(subject.open());
      await publisher.close();
      await expect(publisher.publish(sequence('a', 1))).rejects.toMatchObject({ name: 'StoreUnavailable' });
    });
  });
};
