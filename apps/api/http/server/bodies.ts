import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { machineTime } from './machine-time.js';

type BodyLimits = {
  /** One body has at most so many bytes. */
  readonly bodyBytes: number;
  /** So many bytes may be kept in this process of bodies that have not come whole. */
  readonly bodiesBytes: number;
};

/** Calls back once, with the whole body or with what is wrong. */
type Done = (error: Error | null, body?: Buffer) => void;

/** Reads a body to its end. */
export type ReadBody = (request: FastifyRequest, body: IncomingMessage, done: Done) => void;

/** Most bodies come in one piece and are shorter. */
const FIRST_BYTES = 4_096;

const tooLarge = (): Problem => new Problem('content-too-large', 'The body is larger than 1 MiB.');

/** The connection ends with the answer: what is still to come of the body is of no use to anybody. */
const crowdedOut = (): Problem =>
  new Problem(
    'temporarily-unavailable',
    'The service receives too many request bodies at the same time. Try again, and send the whole request at once.',
    {
      headers: { connection: 'close' },
    },
  );

/** A body on its way. */
type Coming = { kept: Buffer; length: number; readonly begun: number; readonly refuse: (problem: Error) => void };

/** What is kept of all bodies on their way. While that is more than the limit, those that keep the most for the longest are refused. */
class KeptBodies {
  private readonly coming = new Set<Coming>();
  private total = 0;

  constructor(private readonly limits: BodyLimits) {}

  add(body: Coming): void {
    this.coming.add(body);
  }

  remove(body: Coming): void {
    this.coming.delete(body);
    this.total -= body.kept.length;
  }

  /** Keeps one piece more of a body, which `whole` says the length of where it is known. */
  take(body: Coming, piece: Buffer, whole: number): void {
    const length = body.length + piece.length;
    if (piece.length === whole) this.keep(body, piece);
    else {
      if (length > body.kept.length) this.grow(body, length);
      piece.copy(body.kept, body.length);
    }
    body.length = length;
    if (this.total > this.limits.bodiesBytes) this.refuseWorst();
  }

  private keep(body: Coming, kept: Buffer): void {
    this.total += kept.length - body.kept.length;
    body.kept = kept;
  }

  private grow(body: Coming, needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(this.limits.bodyBytes, Math.max(FIRST_BYTES, needed, 2 * body.kept.length)));
    body.kept.copy(larger, 0, 0, body.length);
    this.keep(body, larger);
  }

  private refuseWorst(): void {
    const now = machineTime();
    const worst = [...this.coming].sort((a, b) => b.kept.length * (now - b.begun + 1) - a.kept.length * (now - a.begun + 1));
    for (const body of worst) {
      // A little more than need be, so that the next piece does not have them all compared again.
      if (this.total <= 0.75 * this.limits.bodiesBytes) return;
      body.refuse(crowdedOut());
    }
  }
}

/**
 * Reads bodies into memory that is bounded for each and for all of them. What comes is copied together: a body that is sent in
 * chunks of one byte would otherwise be a million buffers, which cost three hundred times what they hold.
 */
export const bodyReader = (limits: BodyLimits): ReadBody => {
  const bodies = new KeptBodies(limits);
  return ({ headers }, stream, done) => {
    // The headers announce none.
    if (stream.readableEnded) return done(null, Buffer.alloc(0));
    const whole = Number(headers['content-length']);
    if (whole > limits.bodyBytes) return done(tooLarge());
    const end = (error: Error | null): void => {
      stream.off('data', take).off('end', ended).off('error', end);
      bodies.remove(body);
      if (error) done(error);
      else done(null, body.kept.subarray(0, body.length));
    };
    const ended = (): void => end(null);
    const take = (piece: Buffer): void => {
      if (body.length + piece.length > limits.bodyBytes) end(tooLarge());
      else bodies.take(body, piece, whole);
    };
    const body: Coming = { kept: Buffer.alloc(0), length: 0, begun: machineTime(), refuse: end };
    bodies.add(body);
    stream.on('data', take).on('end', ended).on('error', end).resume();
  };
};
