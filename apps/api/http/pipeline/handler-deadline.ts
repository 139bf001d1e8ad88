import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../machine-time.js';

type Running = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly startedAt: number };

/** Measures the time that the handlers of requests take. */
export type Deadline = {
  /** Begins the time of a request. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
  /** Ends the time of a request whose handler has answered. A second call does nothing. */
  end(request: FastifyRequest): void;
};

/**
 * Limits the time from the call of a handler to its answer. If that takes longer than `milliseconds`, `send` gets a 503 problem
 * (contract 26.1). One timer checks all requests every `checkMilliseconds`. Fastify's option `handlerTimeout` is not used: it
 * starts a timer and an abort signal for each request, and doubles the time of a read.
 */
export const createDeadline = (
  server: FastifyInstance,
  milliseconds: number,
  checkMilliseconds: number,
  send: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void,
): Deadline => {
  // An array with reused slots. A Map that grows would keep its earlier internal tables, and the requests in them, in memory.
  const slots: (Running | null)[] = [];
  const free: number[] = [];
  const end = (request: FastifyRequest): void => {
    const slot = request.deadlineSlot;
    if (slot === undefined) return;
    request.deadlineSlot = undefined;
    slots[slot] = null;
    free.push(slot);
  };
  const detail = `The request was not handled within ${milliseconds / 1_000} s. Try again after the time in Retry-After.`;
  const rejectOverdue = (): void => {
    const lastOverdueStart = machineTime() - milliseconds;
    for (const running of [...slots]) {
      if (!running || running.startedAt > lastOverdueStart) continue;
      end(running.request);
      // Its client reads slowly, or gets a stream.
      if (running.reply.raw.headersSent) continue;
      send(new Problem('temporarily-unavailable', detail), running.request, running.reply);
    }
  };
  const stopTimer = every(checkMilliseconds, rejectOverdue);
  server.decorateRequest('deadlineSlot').addHook('onClose', (_, done) => {
    stopTimer();
    done();
  });
  return {
    begin(request, reply) {
      const slot = free.pop() ?? slots.length;
      slots[slot] = { request, reply, startedAt: machineTime() };
      request.deadlineSlot = slot;
    },
    end,
  };
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The slot of the deadline while the handler runs. */
    deadlineSlot: number | undefined;
  }
}
