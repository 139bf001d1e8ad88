import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';
import { appendResponseOf } from '../../../libs/adapters/eventstoredb/streams/append-responses.js';
import { errorResponse, wrongRevisionResponse } from './messages.js';

const succeeded = (position: string | null) => {
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision('7');
  if (position === null) success.setNoPosition(new shared.Empty());
  else success.setPosition(new shared.AllStreamPosition().setCommitPosition(position));
  return new streams.BatchAppendResp().setSuccess(success);
};

describe('a response to an append', () => {
  it('contains the revision and position of the events', () => {
    expect(appendResponseOf(succeeded('131'))).toEqual({ kind: 'appended', revision: 7, position: 131 });
  });

  it('may have no position', () => {
    expect(appendResponseOf(succeeded(null))).toEqual({ kind: 'appended', revision: 7, position: null });
  });

  it.each([0, 12, 'none'] as const)('contains the actual revision of a conflict: %s', (actual) => {
    expect(appendResponseOf(wrongRevisionResponse(5, actual))).toEqual({ kind: 'conflict', actual });
  });

  it.each([
    ['AccessDenied', new shared.AccessDenied(), 'refused', 'Access Denied'],
    ['StreamDeleted', new shared.StreamDeleted(), 'impossible', 'Stream Deleted'],
    ['MaximumAppendSizeExceeded', new shared.MaximumAppendSizeExceeded(), 'impossible', 'Maximum Append Size Exceeded'],
    ['BadRequest', new shared.BadRequest().setMessage('no type'), 'impossible', 'Bad Request: no type'],
    ['Timeout', new shared.Timeout(), 'lost', 'Operation timed out'],
    ['Unknown', new shared.Unknown(), 'lost', 'Unknown'],
  ] as const)('with the details %s means failure', (name, details, failure, message) => {
    expect(() => appendResponseOf(errorResponse(status.UNKNOWN, name, [details, `event_store.client.${name}`]))).toThrow(
      expect.objectContaining({ failure, message }),
    );
  });

  it.each([
    ['Server Is Not Ready', 'unreachable'],
    ['Server Is Busy', 'unreachable'],
    ['No leader info available in response', 'not-leader'],
    ['Unknown NotHandledReason (7)', 'lost'],
  ] as const)('with only the message "%s" means failure', (message, failure) => {
    expect(() => appendResponseOf(errorResponse(status.OK, message))).toThrow(expect.objectContaining({ failure, message }));
  });

  it('without a result is treated as lost', () => {
    expect(() => appendResponseOf(new streams.BatchAppendResp())).toThrow(expect.objectContaining({ failure: 'lost' }));
  });
});
