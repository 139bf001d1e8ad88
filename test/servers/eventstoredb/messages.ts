import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from '../../../libs/eventsourcing/event-store.port.js';
import { toldPosition } from './positions.js';

const { AppendResp: AppendAnswer, ReadResp: ReadAnswer } = streams;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The stream a request names. */
export const streamOf = (identifier: StreamIdentifier | undefined): string => textOf(identifier?.getStreamName_asU8() ?? new Uint8Array());

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

const uuidText = (uuid: UUID | undefined): string => {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** An event that a client proposes. */
export const proposedEvent = (request: AppendReq): EncodedEvent | null => {
  const message = request.getProposedMessage();
  return message
    ? {
        id: uuidText(message.getId()),
        type: message.getMetadataMap().get('type') ?? '',
        data: textOf(message.getData_asU8()),
        metadata: textOf(message.getCustomMetadata_asU8()),
      }
    : null;
};

/** The answer to an append that was written, now or before. */
export const appendedAnswer = (revision: number, position: number): AppendResp => {
  const place = new AppendAnswer.Position();
  place.setCommitPosition(toldPosition(position));
  place.setPreparePosition(toldPosition(position));
  const success = new AppendAnswer.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(place);
  const answer = new AppendAnswer();
  answer.setSuccess(success);
  return answer;
};

/** The answer to an append after a wrong revision. */
export const wrongRevisionAnswer = (expected: ExpectedRevision, actual: ExpectedRevision): AppendResp => {
  const wrong = new AppendAnswer.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  const answer = new AppendAnswer();
  answer.setWrongExpectedVersion(wrong);
  return answer;
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
