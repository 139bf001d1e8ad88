import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { releaseMemory } from '../../../../libs/eventsourcing/scheduling/release-memory.js';
import { Turns } from '../../../../libs/eventsourcing/scheduling/turns.js';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../machine-time.js';

type BodyLimits = {
  /** The maximum size of a body in bytes. */
  readonly bodyBytes: number;
  /** The `detail` of the problem for a body that is too large. Default: the text for JSON bodies. */
  readonly tooLarge?: string;
  /** The maximum number of bytes of incomplete bodies in this process. */
  readonly bodiesBytes: number;
  /** Whether large bodies take turns: a body pauses after each large piece, so that other requests run. Default: no. */
  readonly inTurns?: boolean;
  /** The time in which a body must arrive. */
  readonly requestMilliseconds: number;
  /** What a body must bring to have that time. Default: nothing. */
  readonly leastRate?: LeastRate;
  /** The interval between two checks for overdue bodies. */
  readonly checkMilliseconds: number;
};

/** A body that has brought fewer bytes on average, not counting its first `graceMilliseconds`, is overdue. */
type LeastRate = { readonly bytesPerSecond: number; readonly graceMilliseconds: number };

/** A callback that is called once, with the complete body or an error. */
type Done = (error: Error | null, body?: Buffer) => void;

/** Reads a complete body. */
export type ReadBody = (request: FastifyRequest, body: IncomingMessage, done: Done) => void;

/** Returns whether a body is compressed, or encoded in another way. */
export const isEncoded = ({ headers: { 'content-encoding': encoding } }: FastifyRequest): boolean =>
  encoding !== undefined && encoding.toLowerCase() !== 'identity';

const MULTIPART = 'multipart/form-data with the part file and, optionally, the part additionalMetadata';

/** What an operation takes as its body, see OperationRecord. */
type BodyTerms = { readonly form?: true; readonly queryInForm?: true; readonly upload?: object; readonly uploadAlone?: true };

/** Returns the problem for a body that an operation does not read. It names the types that the operation reads (contract 2.1). */
export const unsupportedBody = (operation: BodyTerms | undefined): Problem =>
  new Problem('unsupported-media-type', `The body must be ${bodyTypes(operation)}, uncompressed.`);

const bodyTypes = (operation: BodyTerms | undefined): string => {
  if (operation?.uploadAlone) return `${MULTIPART}, or the file alone as application/octet-stream`;
  if (operation?.upload) return MULTIPART;
  return `JSON in UTF-8, sent with Content-Type: application/json${(operation?.form ?? operation?.queryInForm) ? ', or a form in UTF-8 (application/x-www-form-urlencoded)' : ''}`;
};

/** The minimum size of a buffer in bytes. Most bodies are smaller. */
const MIN_BUFFER_BYTES = 4_096;

const TOO_LARGE = 'The body is larger than 1 MiB.';

/** The header `connection: close` closes the connection, so that the service does not receive the rest of the body. */
const tooManyBodies = (): Problem =>
  new Problem(
    'temporarily-unavailable',
    'The service receives too many request bodies at the same time. Try again, and send the whole request at once.',
    {
      headers: { connection: 'close' },
    },
  );

/** The `detail` of the problem for a request that is too slow (contract 26.1). */
export const TOO_SLOW =
  'The request did not arrive in time: the headers within 10 s, the body within 30 s, an image within 5 min at 16 KiB a second or more.';

const tooSlow = (): Problem => new Problem('request-timeout', TOO_SLOW, { headers: { connection: 'close' } });

/** A body that is being received. `length` is the number of received bytes. The buffer may be larger. */
type IncomingBody = { buffer: Buffer; length: number; readonly startedAt: number; readonly reject: (problem: Error) => void };

/**
 * The buffers of all bodies that are being received. Bodies that are too slow are rejected.
 * If the total size of the buffers exceeds `bodiesBytes`, large and old bodies are rejected.
 */
class BodyBuffers {
  private readonly incoming = new Set<IncomingBody>();
  private total = 0;
  /** Stops the checks for overdue bodies. They end by themselves when no body is being received. */
  private stopChecks: (() => void) | null = null;

  constructor(private readonly limits: BodyLimits) {}

  add(body: IncomingBody): void {
    this.incoming.add(body);
    this.stopChecks ??= every(this.limits.checkMilliseconds, () => this.rejectOverdue());
  }

  private rejectOverdue(): void {
    const now = machineTime();
    for (const body of this.incoming) if (this.isOverdue(body.length, now - body.startedAt)) body.reject(tooSlow());
    if (this.incoming.size > 0) return;
    this.stopChecks?.();
    this.stopChecks = null;
  }

  private isOverdue(length: number, milliseconds: number): boolean {
    const { requestMilliseconds, leastRate } = this.limits;
    if (milliseconds > requestMilliseconds || !leastRate) return milliseconds > requestMilliseconds;
    return length < (leastRate.bytesPerSecond * (milliseconds - leastRate.graceMilliseconds)) / 1_000;
  }

  remove(body: IncomingBody): void {
    this.incoming.delete(body);
    this.total -= body.buffer.length;
  }

  /** Adds a piece to a body. `expectedLength` is the Content-Length of the body, or NaN if it has none. */
  take(body: IncomingBody, piece: Buffer, expectedLength: number): void {
    const length = body.length + piece.length;
    // A body that arrives in one piece needs no copy.
    if (piece.length === expectedLength) this.setBuffer(body, piece);
    else {
      if (length > body.buffer.length) this.grow(body, length, expectedLength);
      piece.copy(body.buffer, body.length);
    }
    body.length = length;
    if (this.total > this.limits.bodiesBytes) this.rejectWorst();
  }

  private setBuffer(body: IncomingBody, buffer: Buffer): void {
    this.total += buffer.length - body.buffer.length;
    body.buffer = buffer;
  }

  /**
   * Makes the buffer of a body larger. The buffer doubles until an eighth of the expected bytes have arrived. Then it gets its
   * final size, because further doubling would allocate twice the size of the body in total. Without a Content-Length, the
   * buffer only doubles: a comparison with NaN is false.
   */
  private grow(body: IncomingBody, needed: number, expectedLength: number): void {
    const doubled = Math.min(this.limits.bodyBytes, Math.max(MIN_BUFFER_BYTES, needed, 2 * body.buffer.length));
    const larger = Buffer.allocUnsafeSlow(needed * 8 > expectedLength ? Math.max(needed, expectedLength) : doubled);
    body.buffer.copy(larger, 0, 0, body.length);
    this.setBuffer(body, larger);
  }

  /**
   * Rejects bodies until the remaining bodies use at most three quarters of `bodiesBytes`. The bodies with the largest
   * product of size and age are rejected first.
   */
  private rejectWorst(): void {
    const now = machineTime();
    // Without the added millisecond, the product would be 0 for all bodies with the age 0, large or small.
    const worst = [...this.incoming].sort((a, b) => b.buffer.length * (now - b.startedAt + 1) - a.buffer.length * (now - a.startedAt + 1));
    for (const body of worst) {
      // If the goal were `bodiesBytes` itself, the next piece would exceed it again, and all bodies would be sorted again.
      if (this.total <= 0.75 * this.limits.bodiesBytes) return;
      body.reject(tooManyBodies());
    }
  }
}

/**
 * The minimum size in bytes of a large piece. After a large piece was copied, its memory is released at once. With `inTurns`,
 * its body also pauses.
 */
const LARGE_PIECE_BYTES = 16_384;

/**
 * Returns a function that reads a body. The function limits the memory of each body and of all bodies together. It copies
 * the pieces of a body into one buffer. Separate buffers for pieces of one byte would take 300 times the size of the body.
 */
export const bodyReader = (limits: BodyLimits): ReadBody => {
  const bodies = new BodyBuffers(limits);
  const turns = limits.inTurns === true ? new Turns() : null;
  const tooLarge = (): Problem => new Problem('content-too-large', limits.tooLarge ?? TOO_LARGE);
  return ({ headers }, stream, done) => {
    // If a request has no body, its stream has already ended.
    if (stream.readableEnded) return done(null, Buffer.alloc(0));
    // The client has closed the connection. The stream has emitted its error already.
    if (stream.errored) return done(stream.errored);
    const expectedLength = Number(headers['content-length']);
    if (expectedLength > limits.bodyBytes) return done(tooLarge());
    const end = (error: Error | null): void => {
      stream.off('data', take).off('end', ended).off('error', end);
      bodies.remove(body);
      if (error) done(error);
      else done(null, body.buffer.subarray(0, body.length));
    };
    const ended = (): void => end(null);
    const take = (piece: Buffer): void => {
      if (body.length + piece.length > limits.bodyBytes) return end(tooLarge());
      bodies.take(body, piece, expectedLength);
      if (piece.length < LARGE_PIECE_BYTES) return;
      if (body.buffer !== piece) releaseMemory(piece);
      turns?.pauseUntilNextTurn(stream);
    };
    const body: IncomingBody = { buffer: Buffer.alloc(0), length: 0, startedAt: machineTime(), reject: end };
    bodies.add(body);
    stream.on('data', take).on('end', ended).on('error', end).resume();
  };
};
