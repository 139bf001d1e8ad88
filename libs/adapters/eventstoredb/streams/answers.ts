import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendFailed, type Failure } from '../connection/failures.js';
import { numberOf } from '../connection/wire.js';

/** What the server did with an append. Without a position: it wrote the events earlier and does not say where. */
export type Answer =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number | null }
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision };

const PACKAGE = 'event_store.client.';
const WRONG_EXPECTED_VERSION = `${PACKAGE}WrongExpectedVersion`;

/** What an error's details say, by the name of their message, of the append that it answers. */
const FAILURES: Readonly<Record<string, readonly [Failure, string]>> = {
  AccessDenied: ['refused', 'Access Denied'],
  StreamDeleted: ['impossible', 'Stream Deleted'],
  MaximumAppendSizeExceeded: ['impossible', 'Maximum Append Size Exceeded'],
  MaximumAppendEventSizeExceeded: ['impossible', 'Maximum Append Event Size Exceeded'],
  BadRequest: ['impossible', 'Bad Request'],
  Timeout: ['lost', 'Operation timed out'],
};

/** How a server says in words alone that it did not begin with an append. Other words are taken for a lost answer. */
const NOT_BEGUN: Readonly<Record<string, Failure>> = {
  'Server Is Not Ready': 'unreached',
  'Server Is Busy': 'unreached',
  'No leader info available in response': 'not-leader',
};

/** Reads an answer to an append; throws AppendFailed when it says neither that the events are there nor what is in their place. */
export const answerOf = (response: BatchAppendResp): Answer => {
  const success = response.getSuccess();
  if (!success) return { kind: 'conflict', actual: actualOf(response.getError()) };
  const position = success.getPosition()?.getCommitPosition();
  return {
    kind: 'appended',
    revision: numberOf(success.getCurrentRevision(), 'revision'),
    position: position === undefined ? null : numberOf(position, 'position'),
  };
};

const actualOf = (status: Status | undefined): ExpectedRevision => {
  const wrong = status?.getDetails()?.unpack((bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes), WRONG_EXPECTED_VERSION);
  if (!wrong) throw failureIn(status);
  return wrong.hasCurrentStreamRevision() ? numberOf(wrong.getCurrentStreamRevision(), 'revision') : 'none';
};

const failureIn = (status: Status | undefined): AppendFailed => {
  const details = status?.getDetails();
  const name = details?.getTypeName() ?? '';
  const message = status?.getMessage() ?? '';
  const [failure, words] = (name.startsWith(PACKAGE) && FAILURES[name.slice(PACKAGE.length)]) || [NOT_BEGUN[message] ?? 'lost', message];
  const reason = details?.unpack((bytes) => shared.BadRequest.deserializeBinary(bytes), `${PACKAGE}BadRequest`)?.getMessage();
  return new AppendFailed(failure, reason ? `${words}: ${reason}` : words || 'an answer without a result');
};
