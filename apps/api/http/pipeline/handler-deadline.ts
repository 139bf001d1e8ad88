import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../server/machine-time.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type Running = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly startedAt: number };

/**
 * Returns a function that wraps a handler. If the handler exceeds the time, `answer` sends a 503 problem
 * (contract 26.1). One timer checks all requests, because Fastify's timer and abort signal for each request would
 * take as long as handling a read.
 */
export const createDeadline = (
  server: FastifyInstance,
  milliseconds: number,
  checkMilliseconds: number,
  answer: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void,
): ((handler: Handler) => Handler) => {
  // An array with reused slots, not a Map: V8 keeps earlier tables of a growing Map, with the requests in them.
  const slots: (Running | null)[] = [];
  const free: number[] = [];
  const detail = `The request was not handled within ${milliseconds / 1_000} s. Try again after the time in Retry-After.`;
  const answerOverdue = (): void => {
    const overdue = machineTime() - milliseconds;
    for (const [slot, running] of slots.entries()) {
      if (!running || running.startedAt > overdue) continue;
      slots[slot] = null;
      answer(new Problem('temporarily-unavailable', detail), running.request, running.reply);
    }
  };
  const stopTimer = every(checkMilliseconds, answerOverdue);
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
