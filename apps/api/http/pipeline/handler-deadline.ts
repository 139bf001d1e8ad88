import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../server/machine-time.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type Running = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly startedAt: number };

/**
 * Returns a function that wraps a handler. If the handler takes longer than `milliseconds`, `send` gets a 503 problem
 * (contract 26.1). One timer checks all requests every `checkMilliseconds`. Fastify's option `handlerTimeout` is not used: it
 * starts a timer and an abort signal for each request, and doubles the time of a read.
 */
export const createDeadline = (
  server: FastifyInstance,
  milliseconds: number,
  checkMilliseconds: number,
  send: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void,
): ((handler: Handler) => Handler) => {
  // An array with reused slots. A Map that grows would keep its earlier internal tables, and the requests in them, in memory.
  const slots: (Running | null)[] = [];
  const free: number[] = [];
  const detail = `The request was not handled within ${milliseconds / 1_000} s. Try again after the time in Retry-After.`;
  const rejectOverdue = (): void => {
    const lastOverdueStart = machineTime() - milliseconds;
    for (const [slot, running] of slots.entries()) {
      if (!running || running.startedAt > lastOverdueStart) continue;
      slots[slot] = null;
      send(new Problem('temporarily-unavailable', detail), running.request, running.reply);
    }
  };
  const stopTimer = every(checkMilliseconds, rejectOverdue);
  server.addHook('onClose', (_, done) => {
    stopTimer();
    done();
  });
  return (handler) => async (request, reply) => {
    const slot = free.pop() ?? slots.length;
    slots[slot] = { request, reply, startedAt: machineTime() };
    try {
      await handler(request, reply);
    } finally {
      slots[slot] = null;
      free.push(slot);
    }
  };
};
