import { status } from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { toServerPosition } from './positions.js';

const { BatchAppendResp: AppendAnswer, ReadResp: ReadAnswer } = streams;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Returns the stream of a request. */
export const streamOf = (identifier: StreamIdentifier | undefined): string => textOf(identifier?.getStreamName_asU8() ?? new Uint8Array());

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

/** Converts an id from either form of the protocol. */
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

/** The response to a successful append, new or repeated. */
export const appendedAnswer = (revision: number, position: number): BatchAppendResp => {
  const logPosition = new shared.AllStreamPosition();
  logPosition.setCommitPosition(toServerPosition(position));
  logPosition.setPreparePosition(toServerPosition(position));
  const success = new AppendAnswer.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(logPosition);
  const answer = new AppendAnswer();
  answer.setSuccess(success);
  return answer;
};

/** Details of an error: a message and its name. */
type Details = readonly [message: { serializeBinary(): Uint8Array }, name: string];

/** The response to a failed append. An error without details has an empty message as details. */
export const errorAnswer = (
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
  const answer = new AppendAnswer();
  answer.setError(status);
  return answer;
};

/** The response to an append with a wrong expected revision. */
export const wrongRevisionAnswer = (expected: ExpectedRevision, actual: ExpectedRevision): BatchAppendResp => {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return errorAnswer(status.ALREADY_EXISTS, 'WrongExpectedVersion', [wrong, 'event_store.client.WrongExpectedVersion']);
};

/** Encodes a recorded event for a read or a subscription. */
export const eventAnswer = ({ id, stream, revision, position, type, data, metadata }: StoredEvent): ReadResp => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  const record = new ReadAnswer.ReadEvent.RecordedEvent();
  record.setId(uuid);
  record.setStreamIdentifier(identifierOf(stream));
  record.setStreamRevision(String(revision));
  record.setCommitPosition(toServerPosition(position));
  record.setPreparePosition(toServerPosition(position));
  // A real server also stores the time of the write. The adapter does not read it.
  record.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '0');
  record.setData(Buffer.from(data, 'utf8'));
  record.setCustomMetadata(Buffer.from(metadata, 'utf8'));
  const event = new ReadAnswer.ReadEvent();
  event.setEvent(record);
  event.setCommitPosition(toServerPosition(position));
  const answer = new ReadAnswer();
  answer.setEvent(event);
  return answer;
};

/** The first message of a subscription. */
export const confirmation = (subscriptionId: string): ReadResp => {
  const confirmed = new ReadAnswer.SubscriptionConfirmation();
  confirmed.setSubscriptionId(subscriptionId);
  const answer = new ReadAnswer();
  answer.setConfirmation(confirmed);
  return answer;
};

/** The position of a filtered subscription, sent when no event passed the filter for long. */
export const checkpoint = (position: number): ReadResp => {
  const reached = new ReadAnswer.Checkpoint();
  reached.setCommitPosition(toServerPosition(position));
  reached.setPreparePosition(toServerPosition(position));
  const answer = new ReadAnswer();
  answer.setCheckpoint(reached);
  return answer;
};

/** The message of a subscription that has reached the end of the log. */
export const caughtUp = (): ReadResp => {
  const answer = new ReadAnswer();
  answer.setCaughtUp(new ReadAnswer.CaughtUp());
  return answer;
};

/** The response to a read of a stream that does not exist. */
export const streamNotFound = (stream: string): ReadResp => {
  const notFound = new ReadAnswer.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const answer = new ReadAnswer();
  answer.setStreamNotFound(notFound);
  return answer;
};
