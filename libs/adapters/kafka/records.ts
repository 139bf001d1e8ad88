import { Kafka as Binding, type CloudEventV1 } from 'cloudevents';
import type { IHeaders, KafkaMessage, Message as KafkaRecord } from 'kafkajs';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { MessagePointer } from '../../eventsourcing/ports/messages.port.js';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';

/**
 * Headers with repeating values. Their bytes are cached: converting them per message was a third of the cost
 * of sending.
 */
const CACHED_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'ce_specversion',
  'ce_type',
  'ce_source',
  'ce_tenantid',
  'ce_eventtype',
]);
const MAX_CACHED = 10_000;
const cache = new Map<string, Buffer>();

const bytesOf = (text: string): Buffer => {
  let bytes = cache.get(text);
  if (bytes) return bytes;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, (bytes = Buffer.from(text)));
  return bytes;
};

/**
 * Converts a message to a Kafka record: CloudEvents 1.0, binary mode, JSON, keyed by aggregate id (contract 22.2).
 * The timestamp is the time of sending: Kafka's retention uses it, and an old event may be new here.
 */
export const recordOf = ({ key, attributes, data }: PublicMessage): KafkaRecord => {
  const { headers } = Binding.binary({ ...attributes, data } as unknown as CloudEventV1<string>);
  const recordHeaders: IHeaders = {};
  for (const [name, value] of Object.entries(headers as Readonly<Record<string, string>>)) {
    // The binding adds this attribute twice. The Kafka protocol binding requires it only as `content-type`.
    if (name !== 'ce_datacontenttype') recordHeaders[name] = CACHED_HEADERS.has(name) ? bytesOf(value) : value;
  }
  return { key, value: data, headers: recordHeaders };
};

/**
 * Reads the pointer to a message's event from its headers; null for a foreign message.
 * The stream is the message's subject, and ce_sequence is revision + 1 (contract 22.2).
 */
export const pointerOf = ({ headers }: Pick<KafkaMessage, 'headers'>): MessagePointer | null => {
  const text = (name: string): string | undefined => headers?.[name]?.toString();
  const [stream, type, sequence] = [text('ce_subject'), text('ce_eventtype'), Number(text('ce_sequence'))];
  if (!stream || !type || !Number.isSafeInteger(sequence) || sequence < 1) return null;
  return { stream, revision: sequence - 1, type, key: stream, tenant: text('ce_tenantid') ?? SHARED_POOL };
};
