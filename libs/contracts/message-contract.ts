import { aggregateIdOf, type Message, type RecordedEvent } from '../eventsourcing/message.js';
import type { PublicMessage } from '../eventsourcing/ports/publisher.port.js';
import { continueTrace } from '../eventsourcing/ports/tracing.port.js';
import { NO_DATA, type JsonSchema, type Schema } from './message-schema.js';

/**
 * The public message of an event type. `toData` builds its JSON data from the event's data and the
 * aggregate's id.
 */
export type MessageSpec<Data = unknown> = {
  /** One sentence that says what happened. */
  readonly summary: string;
  /** The schema of the message's data. */
  readonly schema: JsonSchema;
  readonly toData: (data: Data, id: string) => object;
};

/** Declares the public message of an event type. The compiler checks its data against the schema. */
export const messageSpec = <Data, Declared extends object, const Value extends Declared>(
  summary: string,
  schema: Schema<Declared>,
  toData: (data: Data, id: string) => Value,
): MessageSpec<Data> => ({ summary, schema, toData });

/**
 * Declares that the public message of an event type has no data. An event without public data is published, too, so that a gap
 * in the sequence of a key always means a missing message (contract 22.3).
 */
export const emptyMessage = (summary: string): MessageSpec => ({ summary, schema: NO_DATA, toData: () => ({}) });

/** The public messages of an aggregate, one per event type. A missing event type is a compile error. */
type MessageSpecs<Event extends Message> = {
  readonly [T in Event['type']]: MessageSpec<Extract<Event, { type: T }>['data']> | 'unpublished';
};

/**
 * The public messages of the streams of one category. All messages of a topic have the version of the topic. A new
 * property is compatible. The removal or change of a property needs a new topic `v2`.
 */
export type MessageContract<Event extends Message = Message> = {
  /** The category of the streams: `pet` for `pet-<id>`. */
  readonly category: string;
  /** The stream of each event type, if the category has no aggregates. Null if each aggregate has its own stream. */
  readonly streams: Readonly<Record<Event['type'], string>> | null;
  /** For example `petstore.pets.v1`. */
  readonly topic: string;
  /** The CloudEvents source of the messages, for example `/petstore/pets`. */
  readonly source: string;
  readonly on: MessageSpecs<Event>;
};

/** Declares the public messages of an aggregate. The type argument must be explicit. */
export const messageContract = <Event extends Message>(
  category: string,
  plural: string,
  on: MessageSpecs<Event>,
  streams: Readonly<Record<Event['type'], string>> | null = null,
): MessageContract<Event> => ({
  category,
  streams,
  topic: `petstore.${plural}.v1`,
  source: `/petstore/${plural}`,
  on,
});

/** Returns the event types that have a public message, with their messages. */
export const publishedMessages = ({ on }: MessageContract): readonly (readonly [string, MessageSpec])[] =>
  Object.entries<MessageSpec | 'unpublished'>(on).flatMap(([type, message]) =>
    message === 'unpublished' ? [] : [[type, message] as const],
  );

/**
 * Returns the CloudEvents type for an event type: `petstore.pet.details-revised.v1` for `PetDetailsRevised` of a pet.
 */
export const messageTypeOf = (category: string, eventType: string): string => {
  const words = eventType.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return `petstore.${category}.${words.startsWith(`${category}-`) ? words.slice(category.length + 1) : words}.v1`;
};

/**
 * Builds the message of an event, or returns null if its type is unpublished. Throws on an undeclared event type,
 * because an omitted message would leave a permanent gap in the sequence of its key.
 */
export const messageOf = <Event extends Message>(contract: MessageContract<Event>, event: RecordedEvent): PublicMessage | null => {
  const message = declared(contract, event.type);
  if (message === 'unpublished') return null;
  const key = aggregateIdOf(event.meta.stream);
  const data = JSON.stringify(message.toData(event.data, key));
  return continueTrace({ topic: contract.topic, key, attributes: attributesOf(contract, event), data }, event.meta.traceparent);
};

/** Returns whether the events of a type have a message. Throws on an undeclared event type. */
export const isPublished = (contract: MessageContract, eventType: string): boolean => declared(contract, eventType) !== 'unpublished';

const declared = ({ topic, on }: Pick<MessageContract, 'topic' | 'on'>, eventType: string): MessageSpec | 'unpublished' => {
  const message = (on as Readonly<Record<string, MessageSpec | 'unpublished'>>)[eventType];
  if (!message) throw new Error(`the contract of ${topic} declares no message for ${eventType}`);
  return message;
};

/** Attribute names contain only lower-case letters and digits, as CloudEvents 1.0 requires. */
const attributesOf = (
  { category, source }: Pick<MessageContract, 'category' | 'source'>,
  { id, type, meta }: RecordedEvent,
): PublicMessage['attributes'] => ({
  specversion: '1.0',
  id,
  type: messageTypeOf(category, type),
  source,
  // Subject and sequence identify the recorded event; consumers can filter by `eventtype`.
  subject: meta.stream,
  time: meta.time,
  datacontenttype: 'application/json',
  tenantid: meta.tenant,
  // Sequences start at 1, revisions at 0 (contract 22.2).
  sequence: String(meta.revision + 1),
  eventtype: type,
});
