import type { FastifyReply } from 'fastify';
import { acceptsAny } from '../accept.js';
import { JSON_TYPE } from '../responses.js';
import type { Problem } from './problem.js';

const PREFIX = '/api/v3';

/** Returns whether a path, with or without a query, belongs to the classic variant (contract 39.1). */
export const isClassicPath = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`) || path.startsWith(`${PREFIX}?`);

/** When the classic variant was deprecated (RFC 9745): 1 December 2026, in seconds. */
const DEPRECATED_SINCE = '@1796083200';
/** After this time, the classic variant may stop answering (RFC 8594). */
const SUNSET = 'Sun, 31 Dec 2028 23:59:59 GMT';

/** The deprecation headers of every response of the classic variant (contract 39.9). */
export const DEPRECATION_HEADERS = { deprecation: DEPRECATED_SINCE, sunset: SUNSET } as const;

/** Sets the deprecation headers of a response. */
export const addDeprecationHeaders = (reply: FastifyReply): void => void reply.headers(DEPRECATION_HEADERS);

/** The error for a client that accepts no JSON. Only the classic variant sends this error, so it is not a Problem. */
export class NotAcceptable extends Error {
  override readonly name = 'NotAcceptable';
}

/** Returns the error for an Accept header that permits no JSON, otherwise null (contract 39.5). */
export const notAcceptable = (accept: string | undefined): NotAcceptable | null =>
  accept === undefined || acceptsAny(accept, ['application/json', 'application/*', '*/*']) ? null : new NotAcceptable();

/** Responds with 406. */
export const sendNotAcceptable = (reply: FastifyReply): void => {
  const message = 'The classic variant answers with JSON only. Send an Accept header that includes application/json.';
  const json = JSON.stringify({ code: 406, type: 'not-acceptable', message });
  reply.code(406).header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(json);
};

/** Returns a problem as an error of the classic variant (contract 39.5). */
export const classicError = (problem: Problem): object => ({ code: problem.status, type: problem.kind, message: problem.summary });
