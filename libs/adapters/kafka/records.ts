import { Kafka as Binding, type CloudEventV1 } from 'cloudevents';
import type { IHeaders, KafkaMessage, Message as KafkaRecord } from 'kafkajs';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { MessagePointer } from '../../eventsourcing/ports/messages.port.js';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';

/** Header values told again and again, as bytes: making them for every message was a third of what sending it costs. */
const REPEATED: ReadonlySet<string> = new Set(['content-type', 'ce_specversion', 'ce_type', 'ce_source', 'ce_tenantid', 'ce_eventtype']);
const KEPT = 10_000;
const kept = new Map<string, Buffer>();

const bytesOf = (text: string): Buffer => {
  let bytes = kept.get(text);
  if (bytes) return bytes;
  if (kept.size >= KEPT) kept.clear();
  kept.set(text, (bytes = Buffer.from(text)));
  return bytes;
};

/**
 * A message as Kafka keeps it: "CloudEvents 1.0, binary mode, JSON. Key = aggregate id." Its timestamp is when it was
 * sent, not the event's: Kafka's retention goes by it, and an old event may be new here.
 */
export const recordOf = ({ key, attributes, data }: PublicMessage): KafkaRecord => {
  const { headers } = Binding.binary({ ...attributes, data } as unknown as CloudEventV1<string>);
  const told: IHeaders = {};
  for (const [name, value] of Object.entries(headers as Readonly<Record<string, string>>)) {
    // The binding says this one twice, and the protocol binding wants it as `content-type` alone.
    if (name !== 'ce_datacontenttype') told[name] = REPEATED.has(name) ? bytesOf(value) : value;
  }
  return { key, value: data, headers: told };
};

/**
 * The pointer to the recorded event that a message was made of, by its headers alone; null for what is none of ours.
 * The stream is the message's subject, and "ce_sequence = revision + 1".
 */
export const pointerOf = ({ headers }: Pick<KafkaMessage, 'headers'>): MessagePointer | null => {
  const text = (name: string): string | undefined => headers?.[name]?.toString();
  const [stream, type, sequence] = [text('ce_subject'), text('ce_eventtype'), Number(text('ce_sequence'))];
  if (!stream || !type || !Number.isSafeInteger(sequence) || sequence < 1) return null;
  return { stream, revision: sequence - 1, type, key: stream, tenant: text('ce_tenantid') ?? SHARED_POOL };
};
