import { createHash } from 'node:crypto';
import type { Received } from '../../examples/subscriber/subscriber.js';

const TOPIC = 'petstore.orders.v1';
const KEYS = 1_000;

/** What a subscriber received, what it did not receive, and what it received twice. */
export type FaultyFeed = {
  readonly received: readonly Received[];
  readonly lost: readonly Received[];
  readonly twice: readonly Received[];
};

/** Returns a number from 0 to `below` - 1 that looks random, but depends only on `text`, so it is the same in every run. */
const drawn = (text: string, below: number): number => createHash('sha256').update(text).digest().readUInt32BE(0) % below;

/**
 * Creates the messages of a topic, of which a subscriber loses some and gets others twice. The last message of a key is never
 * lost, because a later sequence would be needed to show the gap.
 */
export const faultyFeed = (messages: number, faults: number): FaultyFeed => {
  const sent = Array.from({ length: messages }, (_, index) => {
    const key = `order-${index % KEYS}`;
    return { topic: TOPIC, key, sequence: Math.floor(index / KEYS) + 1, id: `event-${index}` };
  });
  const chosen = new Set<number>();
  for (let draw = 0; chosen.size < 2 * faults; draw++) chosen.add(drawn(String(draw), messages - KEYS));
  const [lost, twice] = [[...chosen].slice(0, faults), [...chosen].slice(faults)];
  const received = sent.filter((_, index) => !lost.includes(index));
  // The repeated messages arrive later than the first copies, as after a crash of the publisher.
  const repeats = twice.flatMap((index) => sent[index] ?? []);
  received.splice(messages - KEYS, 0, ...repeats);
  return { received, lost: lost.flatMap((index) => sent[index] ?? []), twice: repeats };
};

/** Returns the lines that the report of a subscriber must have: a line for each fault, sorted, and then the totals. */
export const expectedLines = ({ received, lost, twice }: FaultyFeed): readonly string[] => [
  ...[
    ...lost.map(({ topic, key, sequence }) => `missing ${topic} ${key} ${sequence}`),
    ...twice.map(({ topic, key, sequence, id }) => `double ${topic} ${key} ${sequence} ${id}`),
  ].toSorted(),
  `${received.length - twice.length} messages, ${lost.length} missing, ${twice.length} doubles`,
];
