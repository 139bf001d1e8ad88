import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendFailed } from './failures.js';

const { BatchAppendReq: BatchAppendRequest } = streams;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** A stream's name as the server takes it. */
export const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(bytesOf(stream));
  return identifier;
};

/**
 * What the data and metadata of one append may come to, in bytes. The server takes 1 MiB unless it is configured otherwise,
 * and 16 at most; a message above that would end the call, and other appends with it.
 */
const MOST_BYTES = 15 * 1024 * 1024;

/** A whole append as it goes over the wire: one message. Throws when no server would take it. */
export const appendRequest = (
  correlationId: string,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EncodedEvent[],
): BatchAppendReq => {
  const proposals = events.map(proposal);
  const bytes = proposals.reduce((sum, message) => sum + message.getData_asU8().length + message.getCustomMetadata_asU8().length, 0);
  if (bytes > MOST_BYTES) throw new AppendFailed('impossible', 'Maximum Append Size Exceeded');
  const options = new BatchAppendRequest.Options();
  options.setStreamIdentifier(identifierOf(stream));
  // The field's type is Google's `Empty`, which is the same on the wire: nothing.
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new BatchAppendRequest();
  request.setCorrelationId(uuidOf(correlationId));
  request.setOptions(options);
  request.setProposedMessagesList(proposals);
  request.setIsFinal(true);
  return request;
};

const proposal = ({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendRequest.ProposedMessage();
  message.setId(uuidOf(id));
  // Texts that are JSON, and said to be, so that an auditor reads them in the server's own pages.
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(bytesOf(data));
  message.setCustomMetadata(bytesOf(metadata));
  return message;
};

const uuidOf = (text: string): UUID => {
  const uuid = new shared.UUID();
  uuid.setString(text);
  return uuid;
};

/** "Below 2^53": a position or revision the server wrote. Its word for "none" is 2^64 - 1. */
export const numberOf = (text: string, what: string): number => {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`EventStoreDB told no usable ${what} (${text}); positions of a stream's events are told by version 22.6 and later`);
};

/** An event as it was appended; null for a message that carries none. */
export const storedEventOf = (message: ReadResp): StoredEvent | null => {
  const record = message.getEvent()?.getEvent();
  if (!record) return null;
  return {
    position: numberOf(record.getCommitPosition(), 'position'),
    stream: textOf(record.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: numberOf(record.getStreamRevision(), 'revision'),
    id: record.getId()?.getString() ?? '',
    type: record.getMetadataMap().get('type') ?? '',
    data: textOf(record.getData_asU8()),
    metadata: textOf(record.getCustomMetadata_asU8()),
  };
};
