import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { reasonOf as plainReasonOf } from '../../../eventsourcing/reason.js';

/** gRPC's status codes, as far as they tell something apart here. */
const CODES = { invalidArgument: 3, permissionDenied: 7, unimplemented: 12, unavailable: 14, unauthenticated: 16 };
const REFUSING: ReadonlySet<unknown> = new Set([CODES.permissionDenied, CODES.unimplemented, CODES.unauthenticated]);
/** What the server names in the `exception` of an error's metadata when it will never do what it was asked for. */
const STREAM_DELETED = 'stream-deleted';

/** How gRPC says that a call never left this machine. Should the words change, such an append is looked for in vain, no more. */
const NEVER_SENT = /^No connection established/;

/** No node of the address could be reached in time: the call was never sent. */
export class Unreached extends Error {
  override readonly name = 'Unreached';
}

/** A call or an append that was given up because nothing was heard of it in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * What a failed call says of the append it carried: it never reached a server, or one that another node leads, and nothing
 * was written; the server refuses this caller, or can never take these events, and nothing was written either; or the answer
 * is lost, and whether anything was written is unknown.
 */
export type Failure = 'unreached' | 'not-leader' | 'refused' | 'impossible' | 'lost';

/** An append that failed in a way that is known. */
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

/** What the server gave as the reason, by its own name for it. */
const exceptionOf = (error: object): string => {
  if (!('metadata' in error) || !isReadable(error.metadata)) return '';
  const [exception] = error.metadata.get('exception');
  return typeof exception === 'string' ? exception : '';
};

const isReadable = (metadata: unknown): metadata is { get(name: string): readonly unknown[] } =>
  typeof metadata === 'object' && metadata !== null && 'get' in metadata && typeof metadata.get === 'function';

/** Tells failures of a call apart by what they mean for its append. */
export const failureOf = (error: unknown): Failure => {
  if (typeof error !== 'object' || error === null) return 'lost';
  if (error instanceof AppendFailed) return error.failure;
  const exception = exceptionOf(error);
  if (exception === 'not-leader') return 'not-leader';
  if (error instanceof Unreached || ('details' in error && NEVER_SENT.test(String(error.details)))) return 'unreached';
  const code = 'code' in error ? error.code : undefined;
  if (exception === STREAM_DELETED || code === CODES.invalidArgument) return 'impossible';
  return exception === 'access-denied' || REFUSING.has(code) ? 'refused' : 'lost';
};

/** Whether the failure of a call that never answered says that the server took nothing of what was sent over it. */
export const wasNeverTaken = (error: unknown): boolean => ['unreached', 'refused'].includes(failureOf(error));

/** What is said of each append that was sent over a call that failed: the server may have written it before. */
export const ofUnknownFate = (error: unknown): AppendFailed => new AppendFailed('lost', reasonOf(error), { cause: error });

/** Whether a read had better be asked again at once: another node leads, or the connection was a dead one. */
export const isWorthAnother = (error: unknown): boolean =>
  failureOf(error) === 'not-leader' || (typeof error === 'object' && error !== null && 'code' in error && error.code === CODES.unavailable);

/** gRPC ends its sentence with a note that is mostly empty. */
const EMPTY_NOTE = /\.? Resolution note: *$/;

/** What went wrong, in words, without that note. */
export const reasonOf = (error: unknown): string => plainReasonOf(error).replace(EMPTY_NOTE, '');

/** The port's name for a store that cannot be used now; what can never succeed is told as it is. */
export const unavailable = (error: unknown): Error => {
  if (error instanceof StoreUnavailable) return error;
  if (failureOf(error) === 'impossible') return new Error(`EventStoreDB cannot do this: ${reasonOf(error)}`, { cause: error });
  return new StoreUnavailable(`EventStoreDB cannot be used now: ${reasonOf(error)}`, { cause: error });
};
