import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, type KafkaMessage } from 'kafkajs';
import { contracts, publicMessageMapper, topicsOf } from '../../../libs/contracts/contracts.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { inNamespace, withoutNamespace, type PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { eventually } from '../../eventually.js';
import { decodeEvents } from '../replay.js';

/** A message as a consumer receives it. */
export type TopicMessage = Pick<PublicMessage, 'topic' | 'key' | 'data'> & { readonly attributes: Readonly<Record<string, string>> };

/** Returns the messages that the relay must publish for a log. */
export const expectedMessages = (events: readonly StoredEvent[]): readonly PublicMessage[] =>
  decodeEvents(events).flatMap((event) => publicMessageMapper(contracts)(event) ?? []);

/** Reads committed messages of a namespace from the beginning until all expected ones were received. */
export const readTopics = async (brokers: string, expected: readonly PublicMessage[], namespace = ''): Promise<readonly TopicMessage[]> => {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `audit.${randomUUID()}`, readUncommitted: false, maxWaitTimeInMs: 100 });
  const messages: TopicMessage[] = [];
  const missing = new Set(expected.map(({ attributes }) => attributes['id']));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: topicsOf(contracts).map((topic) => inNamespace(namespace, topic)), fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, message }) => {
        const received = topicMessage(withoutNamespace(namespace, topic), message);
        messages.push(received);
        missing.delete(received.attributes['id']);
      },
    });
    // Missing messages are no error here, because the caller compares the messages and lists the missing ones.
    await eventually('every message', () => missing.size === 0).catch(() => undefined);
    return messages;
  } finally {
    await consumer.disconnect();
  }
};

/** Converts a Kafka message. The CloudEvents headers become attributes. */
export const topicMessage = (topic: string, { key, value, headers = {} }: KafkaMessage): TopicMessage => ({
  topic,
  key: String(key),
  data: String(value),
  attributes: Object.fromEntries(
    Object.entries(headers).flatMap(([name, text]) => (name.startsWith('ce_') ? [[name.slice(3), String(text)]] : [])),
  ),
});

/**
 * Describes each difference from the expected messages. The sequence of a key is 1, 2, 3 without a gap, and
 * repeats are identical (contract 22.4).
 */
export const topicViolations = (messages: readonly TopicMessage[], expected: readonly PublicMessage[]): readonly string[] => {
  const wanted = new Map(expected.map((message) => [placeOf(message), message]));
  const ends = new Map<string, number>();
  const violations: string[] = [];
  for (const message of messages) {
    const place = placeOf(message);
    const stream = `${message.topic} ${message.key}`;
    const [end, sequence] = [ends.get(stream) ?? 0, Number(message.attributes['sequence'])];
    if (sequence > end + 1) violations.push(`${stream} jumps from ${end} to ${sequence}`);
    ends.set(stream, Math.max(end, sequence));
    const original = wanted.get(place);
    if (!original) violations.push(`${place} was published but not recorded`);
    else if (!isEqual(message, original))
      violations.push(`${place} was published with other content than recorded: ${JSON.stringify(message)}`);
  }
  const places = new Set(messages.map(placeOf));
  return [...violations, ...[...wanted.keys()].filter((place) => !places.has(place)).map((place) => `${place} was not published`)];
};

const placeOf = ({ topic, key, attributes }: Pick<TopicMessage, 'topic' | 'key' | 'attributes'>): string =>
  `${topic} ${key} ${attributes['sequence'] ?? ''}`;

/** Compares data and attributes. The attribute `datacontenttype` is the header `content-type`. */
const isEqual = (message: TopicMessage, { data, attributes }: PublicMessage): boolean =>
  message.data === data &&
  Object.entries(attributes).every(([name, value]) => name === 'datacontenttype' || message.attributes[name] === value);
