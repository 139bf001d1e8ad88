import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { publishedMessages } from '../../libs/contracts/message-contract.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { paymentId, samples } from './events.samples.js';
import { goldenChange, type GoldenChange } from './golden-files.js';

const toMessage = publicMessageMapper(contracts);

/** Each event type that is published, with its contract and its message. */
export const publishedTypes = contracts.flatMap((contract) =>
  publishedMessages(contract).map(([type, spec]) => [type, { contract, spec }] as const),
);

/**
 * Returns the message for an event type, from its sample or from other data of the same shape. The stream id is fixed, so the message is
 * the same in every run.
 */
export const messageOf = (
  type: string,
  { category, streams }: (typeof contracts)[number],
  data: unknown = samples[type as DomainEvent['type']].complete,
): object => {
  const [message] = recorded([{ type, data } as DomainEvent], streams?.[type] ?? `${category}-${paymentId}`).map(toMessage);
  if (!message) throw new Error(`${type} is not published`);
  return { ...message, data: JSON.parse(message.data) as unknown };
};

export const messageFile = (type: string): string => `messages/${type}.json`;

const REMEDY = 'Consumers rely on it: restore it, or publish the new message in a topic of the next version.';

/** Compares the message of an event type with its golden file. */
export const messageChange = (type: string, contract: (typeof contracts)[number]): GoldenChange | null =>
  goldenChange(messageFile(type), messageOf(type, contract), REMEDY);

/** Returns the changes of all messages. */
export const messageChanges = (): readonly GoldenChange[] =>
  publishedTypes.flatMap(([type, { contract }]) => messageChange(type, contract) ?? []);
