import { status } from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { toldPosition } from './positions.js';

const { BatchAppendResp: AppendAnswer, ReadResp: ReadAnswer } = streams;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The stream a request names. */
export const streamOf = (identifier: StreamIdentifier | undefined): string => textOf(identifier?.getStreamName_asU8() ?? new Uint8Array());

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

/** An id in either of the forms that the protocol has. */
export const uuidText = (uuid: UUID | undefined): string => {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** An event that a client proposes. */
export const proposedEvent = (message: BatchAppendReq.ProposedMessage): EncodedEvent => ({
  id: uuidText(message.getId()),
  type: message.getMetadataMap().get('type') ?? '',
  data: textOf(message.getData_asU8()),
  metadata: textOf(message.getCustomMetadata_asU8()),
});

/** The answer to an append that was written, now or before. */
export const appendedAnswer = (revision: number, position: number): BatchAppendResp => {
  const place = new shared.AllStreamPosition();
  place.setCommitPosition(toldPosition(position));
  place.setPreparePosition(toldPosition(position));
  const success = new AppendAnswer.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(place);
  const answer = new AppendAnswer();
  answer.setSuccess(success);
  return answer;
};

/** Details of an error: a message and its name. */
type Details = readonly [message: { serializeBinary(): Uint8Array }, name: string];

/** The answer to an append that failed. What has no details of its own has empty ones. */
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

/** The answer to an append after a wrong revision. */
export const wrongRevisionAnswer = (expected: ExpectedRevision, actual: ExpectedRevision): BatchAppendResp => {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return errorAnswer(status.ALREADY_EXISTS, 'WrongExpectedVersion', [wrong, 'event_store.client.WrongExpectedVersion']);
};

/** A recorded event as a read or a subscription tells it. */
export const eventAnswer = ({ id, stream, revision, position, type, data, metadata }: StoredEvent): ReadResp => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  const record = new ReadAnswer.ReadEvent.RecordedEvent();
  record.setId(uuid);
  record.setStreamIdentifier(identifierOf(stream));
  record.setStreamRevision(String(revision));
  record.setCommitPosition(toldPosition(position));
  record.setPreparePosition(toldPosition(position));
  // A server keeps the time of the write as well; nobody here reads it.
  record.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '0');
  record.setData(Buffer.from(data, 'utf8'));
  record.setCustomMetadata(Buffer.from(metadata, 'utf8'));
  const event = new ReadAnswer.ReadEvent();
  event.setEvent(record);
  event.setCommitPosition(toldPosition(position));
  const answer = new ReadAnswer();
  answer.setEvent(event);
  return answer;
};

/** What a subscription hears first. */
export const confirmation = (subscriptionId: string): ReadResp => {
  const confirmed = new ReadAnswer.SubscriptionConfirmation();
  confirmed.setSubscriptionId(subscriptionId);
  const answer = new ReadAnswer();
  answer.setConfirmation(confirmed);
  return answer;
};

/** Where a filtered subscription stands, when nothing of it passed the filter for long. */
export const checkpoint = (position: number): ReadResp => {
  const reached = new ReadAnswer.Checkpoint();
  reached.setCommitPosition(toldPosition(position));
  reached.setPreparePosition(toldPosition(position));
  const answer = new ReadAnswer();
  answer.setCheckpoint(reached);
  return answer;
};

/** What a subscription hears when it has reached the end of the log. */
export const caughtUp = (): ReadResp => {
  const answer = new ReadAnswer();
  answer.setCaughtUp(new ReadAnswer.CaughtUp());
  return answer;
};

/** The answer to a read of a stream that does not exist. */
export const streamNotFound = (stream: string): ReadResp => {
  const notFound = new ReadAnswer.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const answer = new ReadAnswer();
  answer.setStreamNotFound(notFound);
  return answer;
};
