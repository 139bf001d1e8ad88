import { categoryOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { PublicMessage } from '../eventsourcing/ports/publisher.port.js';
import { messageOf, type MessageContract } from './message-contract.js';
import { orderMessages } from './topics/orders.messages.js';
import { paymentMessages } from './topics/payments.messages.js';
import { petMessages } from './topics/pets.messages.js';
import { userMessages } from './topics/users.messages.js';

/**
 * The contracts of all topics. Each handles its own category only, so the cast drops the event types safely.
 */
export const contracts = [petMessages, orderMessages, paymentMessages, userMessages] as unknown as readonly MessageContract[];

/**
 * The partitions of every topic. The number never changes: another number would move keys to other partitions
 * and break their order.
 */
export const TOPIC_PARTITIONS = 6;

/** The topics that the contracts publish to. */
export const topicsOf = (published: readonly MessageContract[]): readonly string[] => published.map(({ topic }) => topic);

/**
 * Returns a function that maps an event of a published stream to its message, and any other event to null.
 */
export const publicMessageMapper = (published: readonly MessageContract[]): ((event: RecordedEvent) => PublicMessage | null) => {
  const byCategory = new Map(published.map((contract) => [contract.category, contract]));
  return (event) => {
    const contract = byCategory.get(categoryOf(event.meta.stream));
    return contract ? messageOf(contract, event) : null;
  };
};
