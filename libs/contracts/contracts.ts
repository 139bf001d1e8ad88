import { categoryOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { PublicMessage } from '../eventsourcing/ports/publisher.port.js';
import { isPublished, messageOf, type MessageContract } from './message-contract.js';
import { adoptionMessages } from './topics/adoptions.messages.js';
import { checkpointMessages } from './topics/checkpoints.messages.js';
import { orderMessages } from './topics/orders.messages.js';
import { paymentMessages } from './topics/payments.messages.js';
import { petMessages } from './topics/pets.messages.js';
import { userMessages } from './topics/users.messages.js';

/**
 * The contracts of all topics. The cast removes the type parameter of each contract. The cast is safe, because a contract
 * gets only events of its category.
 */
export const contracts = [
  petMessages,
  orderMessages,
  paymentMessages,
  adoptionMessages,
  userMessages,
  checkpointMessages,
] as unknown as readonly MessageContract[];

/**
 * The number of partitions of a new topic (contract 22.7). Over how many partitions the keys of a topic are spread is recorded
 * for each store. If keys followed the number at the brokers, added partitions would break the order of their messages.
 */
export const TOPIC_PARTITIONS = 6;

/** The topics that the contracts publish to. */
export const topicsOf = (published: readonly MessageContract[]): readonly string[] => published.map(({ topic }) => topic);

/** Returns a function that returns the topic of an event, or null if the event is not published. */
export const topicLookup = (
  published: readonly MessageContract[],
): ((event: { readonly stream: string; readonly type: string }) => string | null) => {
  const byCategory = new Map(published.map((contract) => [contract.category, contract]));
  return ({ stream, type }) => {
    const contract = byCategory.get(categoryOf(stream));
    return contract && isPublished(contract, type) ? contract.topic : null;
  };
};

/** Returns a function that maps an event to its public message, or to null if the event is not published. */
export const publicMessageMapper = (published: readonly MessageContract[]): ((event: RecordedEvent) => PublicMessage | null) => {
  const byCategory = new Map(published.map((contract) => [contract.category, contract]));
  return (event) => {
    const contract = byCategory.get(categoryOf(event.meta.stream));
    return contract ? messageOf(contract, event) : null;
  };
};
