import { status } from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { toServerPosition } from './positions.js';

const { BatchAppendResp: AppendResponse, ReadResp: ReadResponse } = streams;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Returns the stream of a request. */
export const streamOf = (identifier: StreamIdentifier | undefined): string => textOf(identifier?.getStreamName_asU8() ?? new Uint8Array());

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

/** Returns an id as text. The protocol contains it as text, or as two numbers of 64 bits. */
export const uuidText = (uuid: UUID | undefined): string => {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** Decodes a proposed event. */
export const proposedEvent = (message: BatchAppendReq.ProposedMessage): EncodedEvent => ({
  id: uuidText(message.getId()),
  type: message.getMetadataMap().get('type') ?? '',
  data: textOf(message.getData_asU8()),
  metadata: textOf(message.getCustomMetadata_asU8()),
});

/** The response to a successful append, also to a repeated one that writes nothing. */
export const appendedResponse = (revision: number, position: number): BatchAppendResp => {
  const logPosition = new shared.AllStreamPosition();
  logPosition.setCommitPosition(toServerPosition(position));
  logPosition.setPreparePosition(toServerPosition(position));
  const success = new AppendResponse.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(logPosition);
  const response = new AppendResponse();
  response.setSuccess(success);
  return response;
};

/** Details of an error: a protobuf message, and the name of its type. */
type Details = readonly [message: { serializeBinary(): Uint8Array }, name: string];

/** The response to a failed append. By default, the details are an empty protobuf message. */
export const errorResponse = (
  code: number,
  message: string,
  [details, name]: Details = [new shared.Empty(), 'google.protobuf.Empty'],
): BatchAppendResp => {
  const packed = new anyPb.Any();
  packed.pack(details.serializeBinary(), name);
  const status = new statusPb.Status();
  status.setCode(code);
  status.setMessage(message);
  status.setDetails(packed);
  const response = new AppendResponse();
  response.setError(status);
  return response;
};

/** The response to an append with a wrong expected revision. */
export const wrongRevisionResponse = (expected: ExpectedRevision, actual: ExpectedRevision): BatchAppendResp => {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return errorResponse(status.ALREADY_EXISTS, 'WrongExpectedVersion', [wrong, 'event_store.client.WrongExpectedVersion']);
};

/** Encodes a recorded event for a read or a subscription. */
export const eventResponse = ({ id, stream, revision, position, type, data, metadata }: StoredEvent): ReadResp => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  const record = new ReadResponse.ReadEvent.RecordedEvent();
  record.setId(uuid);
  record.setStreamIdentifier(identifierOf(stream));
  record.setStreamRevision(String(revision));
  record.setCommitPosition(toServerPosition(position));
  record.setPreparePosition(toServerPosition(position));
  // A real server also stores the time of the write. The adapter does not read it.
  record.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '0');
  record.setData(Buffer.from(data, 'utf8'));
  record.setCustomMetadata(Buffer.from(metadata, 'utf8'));
  const event = new ReadResponse.ReadEvent();
  event.setEvent(record);
  event.setCommitPosition(toServerPosition(position));
  const response = new ReadResponse();
  response.setEvent(event);
  return response;
};

/** The first message of a subscription. */
export const confirmation = (subscriptionId: string): ReadResp => {
  const confirmed = new ReadResponse.SubscriptionConfirmation();
  confirmed.setSubscriptionId(subscriptionId);
  const response = new ReadResponse();
  response.setConfirmation(confirmed);
  return response;
};

/** The message with the position that a filtered subscription has reached, after an event that does not pass the filter. */
export const checkpoint = (position: number): ReadResp => {
  const reached = new ReadResponse.Checkpoint();
  reached.setCommitPosition(toServerPosition(position));
  reached.setPreparePosition(toServerPosition(position));
  const response = new ReadResponse();
  response.setCheckpoint(reached);
  return response;
};

/** The message of a subscription that has reached the end of the log. */
export const caughtUp = (): ReadResp => {
  const response = new ReadResponse();
  response.setCaughtUp(new ReadResponse.CaughtUp());
  return response;
};

/** The response to a read of a stream that does not exist. */
export const streamNotFound = (stream: string): ReadResp => {
  const notFound = new ReadResponse.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const response = new ReadResponse();
  response.setStreamNotFound(notFound);
  return response;
};
