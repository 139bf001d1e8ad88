import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { reasonOf as plainReasonOf } from '../../../eventsourcing/reason.js';

/** The gRPC status codes that this module distinguishes. */
const CODES = { invalidArgument: 3, permissionDenied: 7, unimplemented: 12, unavailable: 14, unauthenticated: 16 };
const DENYING_CODES: ReadonlySet<unknown> = new Set([CODES.permissionDenied, CODES.unimplemented, CODES.unauthenticated]);
/** The value of `exception` in an error's metadata if the stream is deleted. A deleted stream accepts no appends. */
const STREAM_DELETED = 'stream-deleted';

/**
 * gRPC's message for a call that was never sent. If a version of gRPC has another message, the only effect is an unneeded
 * read after a failed append.
 */
const NEVER_SENT = /^No connection established/;

/** Thrown when no node was reachable in time. The call was never sent. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

/** Thrown when a call or an append has no response in time. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/**
 * The outcome of an append when its call fails:
 * - `unreachable`, `not-leader`: the append did not reach the leader. Nothing was written.
 * - `refused`: the server denies access. Nothing was written.
 * - `impossible`: the server can never accept these events. Nothing was written.
 * - `lost`: the response is lost. It is unknown whether the events were written.
 */
export type Failure = 'unreachable' | 'not-leader' | 'refused' | 'impossible' | 'lost';

/** Thrown when an append failed for a known reason. */
export class AppendFailed extends Error {
  override readonly name = 'AppendFailed';

  constructor(
    readonly failure: Failure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the name that the server gave to an error, or '' if it gave none. */
const exceptionOf = (error: object): string => {
  if (!('metadata' in error) || !isReadable(error.metadata)) return '';
  const [exception] = error.metadata.get('exception');
  return typeof exception === 'string' ? exception : '';
};

const isReadable = (metadata: unknown): metadata is { get(name: string): readonly unknown[] } =>
  typeof metadata === 'object' && metadata !== null && 'get' in metadata && typeof metadata.get === 'function';

/** Returns the outcome of an append that failed with this error. */
export const failureOf = (error: unknown): Failure => {
  if (typeof error !== 'object' || error === null) return 'lost';
  if (error instanceof AppendFailed) return error.failure;
  const exception = exceptionOf(error);
  if (exception === 'not-leader') return 'not-leader';
  if (error instanceof NodeUnreachable || ('details' in error && NEVER_SENT.test(String(error.details)))) return 'unreachable';
  const code = 'code' in error ? error.code : undefined;
  if (exception === STREAM_DELETED || code === CODES.invalidArgument) return 'impossible';
  return exception === 'access-denied' || DENYING_CODES.has(code) ? 'refused' : 'lost';
};

/**
 * Returns whether the error of a call for several appends means that the server has written none of the appends. Pass only
 * the error of a call that failed before its first response. Returns false for `not-leader`, because a leader can lose its
 * role after it has written some of the appends.
 */
export const hasWrittenNothing = (error: unknown): boolean => ['unreachable', 'refused'].includes(failureOf(error));

/** Creates the error of an append that may have been written although its call failed. */
export const lostResponse = (error: unknown): AppendFailed => new AppendFailed('lost', reasonOf(error), { cause: error });

/**
 * Returns whether a read may be retried immediately: another node is the leader, or the connection was lost.
 */
export const isRetryableRead = (error: unknown): boolean =>
  failureOf(error) === 'not-leader' || (typeof error === 'object' && error !== null && 'code' in error && error.code === CODES.unavailable);

/** Matches `Resolution note:` without a note after it. gRPC ends some error messages with these words. */
const EMPTY_NOTE = /\.? Resolution note: *$/;

/** Returns the message of an error without an empty resolution note at its end. */
export const reasonOf = (error: unknown): string => plainReasonOf(error).replace(EMPTY_NOTE, '');

/** Wraps an error as StoreUnavailable, or as a plain Error if the request can never succeed. */
export const toPortError = (error: unknown): Error => {
  if (error instanceof StoreUnavailable) return error;
  if (failureOf(error) === 'impossible') return new Error(`EventStoreDB rejected the request: ${reasonOf(error)}`, { cause: error });
  return new StoreUnavailable(`EventStoreDB is unavailable: ${reasonOf(error)}`, { cause: error });
};
