import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../eventsourcing/event-store.port.js';

const { AppendReq: AppendRequest } = streams;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** A stream's name as the server takes it. */
export const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(bytesOf(stream));
  return identifier;
};

/** The whole append as it goes over the wire; sent again, it is the very same bytes. */
export const appendRequests = (stream: string, expected: ExpectedRevision, events: readonly EncodedEvent[]): readonly AppendReq[] => {
  const options = new AppendRequest.Options();
  options.setStreamIdentifier(identifierOf(stream));
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setRevision(String(expected));
  const first = new AppendRequest();
  first.setOptions(options);
  return [first, ...events.map(proposal)];
};

const proposal = ({ id, type, data, metadata }: EncodedEvent): AppendReq => {
  const message = new AppendRequest.ProposedMessage();
  const uuid = new shared.UUID();
  uuid.setString(id);
  message.setId(uuid);
  // Texts that are JSON, and said to be, so that an auditor reads them in the server's own pages.
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(bytesOf(data));
  message.setCustomMetadata(bytesOf(metadata));
  const request = new AppendRequest();
  request.setProposedMessage(message);
  return request;
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
