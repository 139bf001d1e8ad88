import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

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
  // In order of beginning, so the overdue ones come first.
  const running = new Map<FastifyReply, { readonly request: FastifyRequest; readonly begun: number }>();
  const look = (): void => {
    const overdue = performance.now() - milliseconds;
    for (const [reply, { request, begun }] of running) {
      if (begun > overdue) return;
      running.delete(reply);
      answer(new Problem('temporarily-unavailable', 'The answer took too long.'), request, reply);
    }
  };
  const looking = setInterval(look, lookMilliseconds).unref();
  server.addHook('onClose', (_, done) => {
    clearInterval(looking);
    done();
  });
  return (handler) => async (request, reply) => {
    running.set(reply, { request, begun: performance.now() });
    try {
      await handler(request, reply);
    } finally {
      running.delete(reply);
    }
  };
};
