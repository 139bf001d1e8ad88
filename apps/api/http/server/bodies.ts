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
  new Problem('temporarily-unavailable', 'Too many bodies are on their way at the same time. Send the whole request at once.', {
    headers: { connection: 'close' },
  });

/** A body on its way. */
type Coming = { kept: Buffer; length: number; readonly begun: number; readonly refuse: (problem: Error) => void };

/**
 * Reads bodies into memory that is bounded for each and for all of them. What comes is copied together: a body that is sent in
 * chunks of one byte would otherwise be a million buffers, which cost three hundred times what they hold. While more is
 * kept than the limit, the bodies that keep the most for the longest are refused.
 */
export const bodyReader = ({ bodyBytes, bodiesBytes }: BodyLimits): ReadBody => {
  const coming = new Set<Coming>();
  let total = 0;

  const refuseWorst = (): void => {
    const now = machineTime();
    const worst = [...coming].sort((a, b) => b.kept.length * (now - b.begun + 1) - a.kept.length * (now - a.begun + 1));
    for (const body of worst) {
      // A little more than need be, so that the next piece does not have them all compared again.
      if (total <= 0.75 * bodiesBytes) return;
      body.refuse(crowdedOut());
    }
  };

  const keep = (body: Coming, kept: Buffer): void => {
    total += kept.length - body.kept.length;
    body.kept = kept;
  };

  const grow = (body: Coming, needed: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.min(bodyBytes, Math.max(FIRST_BYTES, needed, 2 * body.kept.length)));
    body.kept.copy(larger, 0, 0, body.length);
    keep(body, larger);
  };

  return ({ headers }, stream, done) => {
    // The headers announce none.
    if (stream.readableEnded) return done(null, Buffer.alloc(0));
    const whole = Number(headers['content-length']);
    if (whole > bodyBytes) return done(tooLarge());
    const end = (error: Error | null): void => {
      stream.off('data', take).off('end', ended).off('error', end);
      coming.delete(body);
      total -= body.kept.length;
      if (error) done(error);
      else done(null, body.kept.subarray(0, body.length));
    };
    const ended = (): void => end(null);
    const take = (piece: Buffer): void => {
      const length = body.length + piece.length;
      if (length > bodyBytes) return end(tooLarge());
      if (piece.length === whole) keep(body, piece);
      else {
        if (length > body.kept.length) grow(body, length);
        piece.copy(body.kept, body.length);
      }
      body.length = length;
      if (total > bodiesBytes) refuseWorst();
    };
    const body: Coming = { kept: Buffer.alloc(0), length: 0, begun: machineTime(), refuse: end };
    coming.add(body);
    stream.on('data', take).on('end', ended).on('error', end).resume();
  };
};
