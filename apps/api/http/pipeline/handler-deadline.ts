import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { every, machineTime } from '../server/machine-time.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
type Running = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly begun: number };

/**
 * "header, body and handler timeouts are all set": wraps handlers so that a request whose handler takes longer than so
 * many milliseconds is answered 503. One look at all of them every so often, since Fastify's own timer and abort signal
 * cost each request as much as a read does. `answer` sends the problem.
 */
export const createDeadline = (
  server: FastifyInstance,
  milliseconds: number,
  lookMilliseconds: number,
  answer: (problem: Problem, request: FastifyRequest, reply: FastifyReply) => void,
): ((handler: Handler) => Handler) => {
  // Places that are taken and given back, not a Map: V8 leaves the tables that a Map has outgrown behind with what was in
  // them, so that requests long answered outlive a collection, and the next requests with them.
  const places: (Running | null)[] = [];
  const free: number[] = [];
  const look = (): void => {
    const overdue = machineTime() - milliseconds;
    for (const [place, running] of places.entries()) {
      if (!running || running.begun > overdue) continue;
      places[place] = null;
      answer(new Problem('temporarily-unavailable', 'The answer took too long.'), running.request, running.reply);
    }
  };
  const stopLooking = every(lookMilliseconds, look);
  server.addHook('onClose', (_, done) => {
    stopLooking();
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
