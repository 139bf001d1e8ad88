import { aggregateIdOf, type Message, type RecordedEvent } from '../eventsourcing/message.js';
import type { PublicMessage } from '../eventsourcing/ports/publisher.port.js';
import { NOTHING, type JsonSchema, type Schema } from './message-schema.js';

/** The public message of an event type: `tell` makes the data, plain JSON, from the event's data and the aggregate's id. */
export type Told<Data = unknown> = {
  /** What happened, in a sentence. */
  readonly summary: string;
  /** Of the message's data. */
  readonly schema: JsonSchema;
  readonly tell: (data: Data, id: string) => object;
};

/** Declares the public message of an event type; the type of its data must be the type of the schema. */
export const told = <Data, Says extends object, const Tells extends Says>(
  summary: string,
  schema: Schema<Says>,
  tell: (data: Data, id: string) => Tells,
): Told<Data> => ({ summary, schema, tell });

/**
 * Declares that the public message of an event type has no data: "every event of a published stream makes
 * exactly one message (with empty data where it is private), so a consumer can see gaps."
 */
export const untold = (summary: string): Told => ({ summary, schema: NOTHING, tell: () => ({}) });

/** The public message of every event type of the aggregate: a new event type does not compile without one. */
type ToldOf<Event extends Message> = {
  readonly [T in Event['type']]: Told<Extract<Event, { type: T }>['data']>;
};

/**
 * The public messages of the streams of one category. A message is versioned with its topic: properties may be
 * added; what removes or changes one needs a topic `v2` beside this one.
 */
export type MessageContract<Event extends Message = Message> = {
  /** The category of the streams: `pet` for `pet-<id>`. */
  readonly category: string;
  /** `petstore.pets.v1`. */
  readonly topic: string;
  /** The CloudEvents source of the messages: `/petstore/pets`. */
  readonly source: string;
  readonly on: ToldOf<Event>;
};

/** Declares the public messages of an aggregate. Give the type argument explicitly. */
export const messageContract = <Event extends Message>(category: string, plural: string, on: ToldOf<Event>): MessageContract<Event> => ({
  category,
  topic: `petstore.${plural}.v1`,
  source: `/petstore/${plural}`,
  on,
});

/**
 * The CloudEvents type of an event's messages, one per event type: `PetDetailsRevised` of a pet is
 * `petstore.pet.details-revised.v1`.
 */
export const messageTypeOf = (category: string, eventType: string): string => {
  const words = eventType.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return `petstore.${category}.${words.startsWith(`${category}-`) ? words.slice(category.length + 1) : words}.v1`;
};

/**
 * Makes the one message of an event of a published stream. Throws on an event type that the contract does not know: a
 * message left out would be a permanent gap.
 */
export const messageOf = <Event extends Message>(contract: MessageContract<Event>, event: RecordedEvent): PublicMessage => {
  const known = (contract.on as Readonly<Record<string, Told>>)[event.type];
  if (!known) throw new Error(`the messages of ${contract.topic} do not know ${event.type}`);
  const key = aggregateIdOf(event.meta.stream);
  return { topic: contract.topic, key, attributes: attributesOf(contract, event), data: JSON.stringify(known.tell(event.data, key)) };
};

/** CloudEvents 1.0: "attribute names MUST consist of lower-case letters or digits". */
const attributesOf = (
  { category, source }: Pick<MessageContract, 'category' | 'source'>,
  { id, type, meta }: RecordedEvent,
): PublicMessage['attributes'] => ({
  specversion: '1.0',
  id,
  type: messageTypeOf(category, type),
  source,
  // Subject and sequence identify the recorded event; `eventtype` lets a reader filter.
  subject: meta.stream,
  time: meta.time,
  datacontenttype: 'application/json',
  tenantid: meta.tenant,
  // "ce_sequence = revision + 1"
  sequence: String(meta.revision + 1),
  eventtype: type,
});
