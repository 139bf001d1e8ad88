import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, type KafkaMessage } from 'kafkajs';
import { contracts, publicMessageMapper, topicsOf } from '../../../libs/contracts/contracts.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { PublicMessage } from '../../../libs/eventsourcing/ports/publisher.port.js';
import { eventually } from '../../eventually.js';
import { decoded } from '../replay.js';

/** A message as a reader of the topics meets it. */
export type Told = Pick<PublicMessage, 'topic' | 'key' | 'data'> & { readonly attributes: Readonly<Record<string, string>> };

const READ_WITHIN = 30_000;

/** The messages that a log is to be told by. */
export const toBeTold = (events: readonly StoredEvent[]): readonly PublicMessage[] =>
  decoded(events).flatMap((event) => publicMessageMapper(contracts)(event) ?? []);

/** Reads what committed transactions have told, from the beginning, until all that is expected has been seen. */
export const readTold = async (brokers: string, expected: readonly PublicMessage[]): Promise<readonly Told[]> => {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `audit.${randomUUID()}`, readUncommitted: false, maxWaitTimeInMs: 100 });
  const told: Told[] = [];
  const missing = new Set(expected.map(({ attributes }) => attributes['id']));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topicsOf(contracts)], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, message }) => {
        const one = toldBy(topic, message);
        told.push(one);
        missing.delete(one.attributes['id']);
      },
    });
    // What never comes is told by the comparison, event by event.
    await eventually('everything to be told', () => missing.size === 0, READ_WITHIN).catch(() => undefined);
    return told;
  } finally {
    await consumer.disconnect();
  }
};

const toldBy = (topic: string, { key, value, headers = {} }: KafkaMessage): Told => ({
  topic,
  key: String(key),
  data: String(value),
  attributes: Object.fromEntries(
    Object.entries(headers).flatMap(([name, text]) => (name.startsWith('ce_') ? [[name.slice(3), String(text)]] : [])),
  ),
});

/**
 * Where what was told differs from what had to be: "at least once, stable ids, order per key". Of each key the sequence goes
 * 1, 2, 3 without a gap, and whatever is told again is the same.
 */
export const faultsInTold = (told: readonly Told[], expected: readonly PublicMessage[]): readonly string[] => {
  const wanted = new Map(expected.map((message) => [placeOf(message), message]));
  const ends = new Map<string, number>();
  const faults: string[] = [];
  for (const message of told) {
    const place = placeOf(message);
    const stream = `${message.topic} ${message.key}`;
    const [end, sequence] = [ends.get(stream) ?? 0, Number(message.attributes['sequence'])];
    if (sequence > end + 1) faults.push(`${stream} goes from ${end} to ${sequence}`);
    ends.set(stream, Math.max(end, sequence));
    const should = wanted.get(place);
    if (!should) faults.push(`${place} was told, and nothing of it was recorded`);
    else if (!isSame(message, should)) faults.push(`${place} was told otherwise than it was recorded: ${JSON.stringify(message)}`);
  }
  const places = new Set(told.map(placeOf));
  return [...faults, ...[...wanted.keys()].filter((place) => !places.has(place)).map((place) => `${place} was never told`)];
};

const placeOf = ({ topic, key, attributes }: Pick<Told, 'topic' | 'key' | 'attributes'>): string =>
  `${topic} ${key} ${attributes['sequence'] ?? ''}`;

/** Header `datacontenttype` goes by another name; all else that is said must be there, letter by letter. */
const isSame = (message: Told, { data, attributes }: PublicMessage): boolean =>
  message.data === data &&
  Object.entries(attributes).every(([name, value]) => name === 'datacontenttype' || message.attributes[name] === value);
