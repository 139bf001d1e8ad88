import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../server/machine-time.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type Running = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly begun: number };

/**
 * Returns a function that wraps a handler: a request whose handler exceeds the time is answered with 503
 * (contract 26.1). One timer checks all requests. Fastify's own timer and abort signal would cost each
 * request as much as a read does. `answer` sends the problem.
 */
export const createDeadline = (
  server: FastifyInstance,
  milliseconds: number,
  checkMilliseconds: number,
  answer: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void,
): ((handler: Handler) => Handler) => {
  // An array with reused places, not a Map: V8 keeps the outgrown tables of a Map and the requests in them.
  const places: (Running | null)[] = [];
  const free: number[] = [];
  const detail = `The request was not handled within ${milliseconds / 1_000} s. Try again after the time in Retry-After.`;
  const answerOverdue = (): void => {
    const overdue = machineTime() - milliseconds;
    for (const [place, running] of places.entries()) {
      if (!running || running.begun > overdue) continue;
      places[place] = null;
      answer(new Problem('temporarily-unavailable', detail), running.request, running.reply);
    }
  };
  const stopTimer = every(checkMilliseconds, answerOverdue);
  server.addHook('onClose', (_, done) => {
    stopTimer();
    done();
  });
  return (handler) => async (request, reply) => {
    const place = free.pop() ?? places.length;
    places[place] = { request, reply, begun: machineTime() };
    try {
      await handler(request, reply);
    } finally {
      places[place] = null;
      free.push(place);
    }
  };
};
