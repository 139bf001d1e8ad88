import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendFailed } from './failures.js';

const { BatchAppendReq: BatchAppendRequest } = streams;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Encodes a stream's name. */
export const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(bytesOf(stream));
  return identifier;
};

/**
 * Maximum number of bytes of data and metadata in one append. A message of more than 16 MiB would end the call, and all
 * other appends of the call would fail. So 1 MiB of the message remains for its other fields. Servers accept appends of up
 * to 1 MiB by default, and of up to 16 MiB with another setting.
 */
const MAX_APPEND_BYTES = 15 * 1024 * 1024;

/** Encodes an append as one message. Throws AppendFailed if the append is too large for any server. */
export const appendRequest = (
  correlationId: string,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EncodedEvent[],
): BatchAppendReq => {
  const proposals = events.map(proposalOf);
  const bytes = proposals.reduce((sum, message) => sum + message.getData_asU8().length + message.getCustomMetadata_asU8().length, 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendFailed('impossible', 'Maximum Append Size Exceeded');
  const options = new BatchAppendRequest.Options();
  options.setStreamIdentifier(identifierOf(stream));
  // The field has the type `Empty` of Google. The client's `Empty` has the same encoding: no bytes.
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new BatchAppendRequest();
  request.setCorrelationId(uuidOf(correlationId));
  request.setOptions(options);
  request.setProposedMessagesList(proposals);
  request.setIsFinal(true);
  return request;
};

const proposalOf = ({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage => {
  const message = new BatchAppendRequest.ProposedMessage();
  message.setId(uuidOf(id));
  // With this content type, the server's web pages display the event.
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

/**
 * Parses a position or revision. `what` is its name in the error message. Throws for 2^53 or more: the server sends
 * 2^64 - 1 for a missing value.
 */
export const numberOf = (text: string, what: string): number => {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`EventStoreDB returned no valid ${what} (${text}); use EventStoreDB 22.6 or later, which returns positions`);
};

/**
 * Decodes the event of a message without changing the event's data. Returns null if the message has no event. Removes
 * `streamPrefix` from the name of the stream.
 */
export const storedEventOf = (message: ReadResp, streamPrefix: string): StoredEvent | null => {
  const record = message.getEvent()?.getEvent();
  if (!record) return null;
  return {
    position: numberOf(record.getCommitPosition(), 'position'),
    stream: textOf(record.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()).slice(streamPrefix.length),
    revision: numberOf(record.getStreamRevision(), 'revision'),
    id: record.getId()?.getString() ?? '',
    type: record.getMetadataMap().get('type') ?? '',
    data: textOf(record.getData_asU8()),
    metadata: textOf(record.getCustomMetadata_asU8()),
  };
};
