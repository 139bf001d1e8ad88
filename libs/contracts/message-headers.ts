import { SHARED_POOL } from '../eventsourcing/message.js';
import { messageTypeOf, type MessageContract } from './message-contract.js';
import { always, id, instant, object, patterned, text, type JsonSchema } from './message-schema.js';

const AGGREGATE_ID = '01a0e5b0-0000-7000-8000-000000000002';

/**
 * The headers of an event type's messages: CloudEvents 1.0 in Kafka's binary mode, where an attribute is a header that begins
 * with `ce_`. All of them are text.
 */
export const headersOf = ({ category, source }: Pick<MessageContract, 'category' | 'source'>, eventType: string): JsonSchema =>
  object({
    'content-type': always('application/json', 'What the data are'),
    ce_specversion: always('1.0', 'The version of CloudEvents'),
    ce_id: id('The event’s id; the same however often the message comes', '01a0e5b0-0000-7000-8000-0000000000a1'),
    ce_type: always(messageTypeOf(category, eventType), 'What happened'),
    ce_source: always(source, 'Who says so'),
    ce_subject: patterned(
      `^${category}-`,
      `The stream that the event stands in: \`${category}-\` and the message’s key`,
      `${category}-${AGGREGATE_ID}`,
    ),
    ce_time: instant('When it was recorded', '2026-01-02T03:04:05.000Z'),
    ce_tenantid: text(`Whose it is: a tenant’s UUID, or \`${SHARED_POOL}\` for the shared pool`, SHARED_POOL),
    ce_sequence: patterned('^[1-9][0-9]*$', 'Its place among the messages of its key: 1, 2, 3, … without a gap', '1'),
    ce_eventtype: always(eventType, 'The event’s name in the store'),
  });
