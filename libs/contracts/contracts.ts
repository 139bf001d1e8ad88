import { categoryOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { PublicMessage } from '../eventsourcing/ports/publisher.port.js';
import { messageOf, type MessageContract } from './message-contract.js';
import { orderMessages } from './orders.messages.js';
import { paymentMessages } from './payments.messages.js';
import { petMessages } from './pets.messages.js';

/** Everything outsiders see. Each reads its own category only, so what its events are may be forgotten here. */
export const contracts = [petMessages, orderMessages, paymentMessages] as unknown as readonly MessageContract[];

/** Of every topic. With other numbers of them keys would move, and lose their order: so it is for ever. */
export const TOPIC_PARTITIONS = 6;

/** The topics that the contracts fill. */
export const topicsOf = (published: readonly MessageContract[]): readonly string[] => published.map(({ topic }) => topic);

/** Tells events to outsiders: the one message of an event of a published stream, null for every other. */
export const tellBy = (published: readonly MessageContract[]): ((event: RecordedEvent) => PublicMessage | null) => {
  const byCategory = new Map(published.map((contract) => [contract.category, contract]));
  return (event) => {
    const contract = byCategory.get(categoryOf(event.meta.stream));
    return contract ? messageOf(contract, event) : null;
  };
};
