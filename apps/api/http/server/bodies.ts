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

/** A callback that is called once, with the complete body or an error. */
type Done = (error: Error | null, body?: Buffer) => void;

/** Reads a complete body. */
export type ReadBody = (request: FastifyRequest, body: IncomingMessage, done: Done) => void;

/** The minimum size of a buffer in bytes. Most bodies are smaller. */
const MIN_BUFFER_BYTES = 4_096;

const tooLarge = (): Problem => new Problem('content-too-large', 'The body is larger than 1 MiB.');

/** `connection: close` prevents the service from receiving the rest of the body. */
const tooManyBodies = (): Problem =>
  new Problem(
    'temporarily-unavailable',
    'The service receives too many request bodies at the same time. Try again, and send the whole request at once.',
    {
      headers: { connection: 'close' },
    },
  );

/** A body that is being received. */
type IncomingBody = { buffer: Buffer; length: number; readonly startedAt: number; readonly reject: (problem: Error) => void };

/**
 * The buffers of all bodies that are being received.
 * If they exceed `bodiesBytes`, it rejects large and old bodies.
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

  /** Adds a piece to a body. `expectedLength` is the Content-Length of the body, or NaN if it has none. */
  take(body: IncomingBody, piece: Buffer, expectedLength: number): void {
    const length = body.length + piece.length;
    if (piece.length === expectedLength) this.setBuffer(body, piece);
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
    const larger = Buffer.allocUnsafeSlow(Math.min(this.limits.bodyBytes, Math.max(MIN_BUFFER_BYTES, needed, 2 * body.buffer.length)));
    body.buffer.copy(larger, 0, 0, body.length);
    this.setBuffer(body, larger);
  }

  /** Rejects the bodies with the largest product of size and age, until three quarters of the limit remain in use. */
  private rejectWorst(): void {
    const now = machineTime();
    const worst = [...this.incoming].sort((a, b) => b.buffer.length * (now - b.startedAt + 1) - a.buffer.length * (now - a.startedAt + 1));
    for (const body of worst) {
      // Without a free quarter, the next piece would sort all bodies again.
      if (this.total <= 0.75 * this.limits.bodiesBytes) return;
      body.reject(tooManyBodies());
    }
  }
}

/**
 * Returns a function that reads a body. It limits the memory of each body and
 * of all bodies. It copies the pieces of a body into one buffer: as separate
 * buffers, a body in chunks of one byte would take 300 times its size.
 */
export const bodyReader = (limits: BodyLimits): ReadBody => {
  const bodies = new BodyBuffers(limits);
  return ({ headers }, stream, done) => {
    // The request has no body.
    if (stream.readableEnded) return done(null, Buffer.alloc(0));
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
      if (body.length + piece.length > limits.bodyBytes) end(tooLarge());
      else bodies.take(body, piece, expectedLength);
    };
    const body: IncomingBody = { buffer: Buffer.alloc(0), length: 0, startedAt: machineTime(), reject: end };
    bodies.add(body);
    stream.on('data', take).on('end', ended).on('error', end).resume();
  };
};
