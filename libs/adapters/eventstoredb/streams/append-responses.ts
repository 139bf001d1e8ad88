import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../../../eventsourcing/ports/event-store.port.js';
import { AppendFailed, type Failure } from '../connection/failures.js';
import { numberOf } from '../connection/wire.js';

/** The result of an append. The position is null if an earlier attempt has already written the events. */
export type AppendResponse =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number | null }
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision };

/** The Protobuf package of the server's messages. The type names of an error's details begin with it. */
const PACKAGE = 'event_store.client.';
const WRONG_EXPECTED_VERSION = `${PACKAGE}WrongExpectedVersion`;

/** Maps the type name of an error's details to the failure and to its description for the log. */
const FAILURES: Readonly<Record<string, readonly [Failure, string]>> = {
  AccessDenied: ['refused', 'Access Denied'],
  StreamDeleted: ['impossible', 'Stream Deleted'],
  MaximumAppendSizeExceeded: ['impossible', 'Maximum Append Size Exceeded'],
  MaximumAppendEventSizeExceeded: ['impossible', 'Maximum Append Event Size Exceeded'],
  BadRequest: ['impossible', 'Bad Request'],
  Timeout: ['lost', 'Operation timed out'],
};

/**
 * Maps the message of an error without details to the failure. After these errors, nothing was written. A message that is
 * not listed means `lost`.
 */
const NOT_STARTED: Readonly<Record<string, Failure>> = {
  'Server Is Not Ready': 'unreachable',
  'Server Is Busy': 'unreachable',
  'No leader info available in response': 'not-leader',
};

/** Decodes the response to an append. Throws AppendFailed unless it is a success or a conflict. */
export const appendResponseOf = (response: BatchAppendResp): AppendResponse => {
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
  const [failure, description] = (name.startsWith(PACKAGE) && FAILURES[name.slice(PACKAGE.length)]) || [
    NOT_STARTED[message] ?? 'lost',
    message,
  ];
  const reason = details?.unpack((bytes) => shared.BadRequest.deserializeBinary(bytes), `${PACKAGE}BadRequest`)?.getMessage();
  return new AppendFailed(failure, reason ? `${description}: ${reason}` : description || 'the response has no result');
};
