import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { machineTime } from './machine-time.js';

type BodyLimits = {
  /** The maximum size of a body. */
  readonly bodyBytes: number;
  /** The maximum number of bytes of incomplete bodies in this process. */
  readonly bodiesBytes: number;
};

/** Called once, with the whole body or an error. */
type Done = (error: Error | null, body?: Buffer) => void;

/** Reads a whole body. */
export type ReadBody = (request: FastifyRequest, body: IncomingMessage, done: Done) => void;

/** Most bodies arrive in one piece and are shorter. */
const FIRST_BYTES = 4_096;

const tooLarge = (): Problem => new Problem('content-too-large', 'The body is larger than 1 MiB.');

/** The connection closes after the response, so that the rest of the body is not received. */
const tooManyBodies = (): Problem =>
  new Problem(
    'temporarily-unavailable',
    'The service receives too many request bodies at the same time. Try again, and send the whole request at once.',
    {
      headers: { connection: 'close' },
    },
  );

/** A body that is being received. */
type IncomingBody = { buffer: Buffer; length: number; readonly begun: number; readonly reject: (problem: Error) => void };

/**
 * The buffers of all bodies that are being received. Beyond the limit, the largest and oldest are rejected.
 */
class BodyBuffers {
  private readonly incoming = new Set<IncomingBody>();
  private total = 0;

  constructor(private readonly limits: BodyLimits) {}

  add(body: IncomingBody): void {
    this.incoming.add(body);
  }

  remove(body: IncomingBody): void {
    this.incoming.delete(body);
    this.total -= body.buffer.length;
  }

  /** Adds a piece to a body. `whole` is the length of the body, or NaN if it is unknown. */
  take(body: IncomingBody, piece: Buffer, whole: number): void {
    const length = body.length + piece.length;
    if (piece.length === whole) this.setBuffer(body, piece);
    else {
      if (length > body.buffer.length) this.grow(body, length);
      piece.copy(body.buffer, body.length);
    }
    body.length = length;
    if (this.total > this.limits.bodiesBytes) this.rejectWorst();
  }

  private setBuffer(body: IncomingBody, buffer: Buffer): void {
    this.total += buffer.length - body.buffer.length;
    body.buffer = buffer;
  }

  private grow(body: IncomingBody, needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(this.limits.bodyBytes, Math.max(FIRST_BYTES, needed, 2 * body.buffer.length)));
    body.buffer.copy(larger, 0, 0, body.length);
    this.setBuffer(body, larger);
  }

  private rejectWorst(): void {
    const now = machineTime();
    const worst = [...this.incoming].sort((a, b) => b.buffer.length * (now - b.begun + 1) - a.buffer.length * (now - a.begun + 1));
    for (const body of worst) {
      // Frees a quarter of the limit, so that the next piece does not sort all bodies again.
      if (this.total <= 0.75 * this.limits.bodiesBytes) return;
      body.reject(tooManyBodies());
    }
  }
}

/**
 * Returns a reader that bounds the memory of each body and of all bodies. It copies pieces together: a body
 * in chunks of one byte would otherwise be a million buffers, which take three hundred times its size.
 */
export const bodyReader = (limits: BodyLimits): ReadBody => {
  const bodies = new BodyBuffers(limits);
  return ({ headers }, stream, done) => {
    // The request has no body.
    if (stream.readableEnded) return done(null, Buffer.alloc(0));
    const whole = Number(headers['content-length']);
    if (whole > limits.bodyBytes) return done(tooLarge());
    const end = (error: Error | null): void => {
      stream.off('data', take).off('end', ended).off('error', end);
      bodies.remove(body);
      if (error) done(error);
      else done(null, body.buffer.subarray(0, body.length));
    };
    const ended = (): void => end(null);
    const take = (piece: Buffer): void => {
      if (body.length + piece.length > limits.bodyBytes) end(tooLarge());
      else bodies.take(body, piece, whole);
    };
    const body: IncomingBody = { buffer: Buffer.alloc(0), length: 0, begun: machineTime(), reject: end };
    bodies.add(body);
    stream.on('data', take).on('end', ended).on('error', end).resume();
  };
};
