import type { FastifyReply } from 'fastify';
import type { Answer, FinishReason } from '../../../libs/application/chat/ask-advisor.query.js';
import type { RequestLog } from '../http/pipeline/request-log.js';
import { problemOf } from '../http/problems/failures.js';
import { Problem } from '../http/problems/problem.js';

/** Returns a signal that aborts when the connection of the request closes, so that work for a client that is gone stops. */
export const untilClosed = ({ raw }: FastifyReply): AbortSignal => {
  const closing = new AbortController();
  raw.once('close', () => closing.abort());
  // A response that has already closed emits no further `close` event.
  if (raw.destroyed) closing.abort();
  return closing.signal;
};

/** A complete answer. */
export type CompleteAnswer = {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

/** Reads an answer to its end. */
export const readAnswer = async ({ parts, countPrompt }: Answer): Promise<CompleteAnswer> => {
  let text = '';
  for (;;) {
    const { done, value } = await parts.next();
    if (done) throw new Error('the answer ended without a finish reason');
    if (value.kind === 'text') text += value.text;
    else return { text, finishReason: value.finishReason, completionTokens: value.tokens, promptTokens: await countPrompt() };
  }
};

/**
 * Waits for the promise `sending`, which sends the response. If it rejects after `signal` was aborted, the client is gone.
 * The error is then ignored, and `hijack` keeps Fastify from sending a response.
 */
export const unlessClosed = async (reply: FastifyReply, signal: AbortSignal, sending: Promise<void>): Promise<void> => {
  try {
    await sending;
  } catch (error) {
    if (!signal.aborted) throw error;
    reply.hijack();
  }
};

/** Logs the failure of a stream that has begun, unless the client is gone. Returns the problem for the last event. */
export const failureOfStream = (error: unknown, { request }: FastifyReply, log: Pick<RequestLog, 'logFailure'>): Problem => {
  const problem = problemOf(error, () => new Problem('internal-error', 'The answer failed.'));
  if (!request.raw.socket.destroyed) log.logFailure(request, problem.status, error);
  return problem;
};
