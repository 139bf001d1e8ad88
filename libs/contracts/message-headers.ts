import { SHARED_POOL } from '../eventsourcing/message.js';
import { messageTypeOf, type MessageContract } from './message-contract.js';
import { constantValue, id, instant, object, patterned, text, type JsonSchema } from './message-schema.js';

const TRACEPARENT = '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$';
const EXAMPLE_SPAN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const AGGREGATE_ID = '01a0e5b0-0000-7000-8000-000000000002';

/**
 * Returns the schema of the headers of an event type's messages. The messages are CloudEvents 1.0 in Kafka's binary mode: each
 * attribute is a header with the prefix `ce_`. All headers are text.
 */
export const headersOf = (
  { category, streams, source }: Pick<MessageContract, 'category' | 'streams' | 'source'>,
  eventType: string,
): JsonSchema =>
  object(
    {
      'content-type': constantValue('application/json', 'The media type of the data'),
      ce_specversion: constantValue('1.0', 'The version of CloudEvents'),
      ce_id: id('The id of the event. It is the same in every copy of the message', '01a0e5b0-0000-7000-8000-0000000000a1'),
      ce_type: constantValue(messageTypeOf(category, eventType), 'The type of the message'),
      ce_source: constantValue(source, 'The source of the event'),
      ce_subject: streams
        ? constantValue(streams[eventType] ?? '', 'The event’s stream')
        : patterned(`^${category}-`, `The event’s stream: \`${category}-\` and the message’s key`, `${category}-${AGGREGATE_ID}`),
      ce_time: instant('When the event was recorded', '2026-01-02T03:04:05.000Z'),
      ce_tenantid: text(`The tenant’s UUID, or \`${SHARED_POOL}\` for the shared pool`, SHARED_POOL),
      ce_sequence: patterned('^[1-9][0-9]*$', 'The message’s number among the messages of its key: 1, 2, 3, … without gaps', '1'),
      ce_eventtype: constantValue(eventType, 'The event’s name in the store'),
    },
    {
      ce_replayedat: instant('When a replay published this copy of the message. Absent if no replay did', '2026-01-03T00:00:00.000Z'),
      traceparent: patterned(
        TRACEPARENT,
        'The span that published the message (W3C Trace Context), if the request that caused the event was traced',
        EXAMPLE_SPAN,
      ),
    },
  );
