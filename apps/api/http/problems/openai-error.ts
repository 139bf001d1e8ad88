import type { NamedSchema } from '../validation/schemas.js';
import type { Problem } from './problem.js';

const PREFIX = '/v1/openai';

/** Returns whether a path belongs to the interface for OpenAI's clients, which has errors of its own (contract 41.9). */
export const isOpenaiPath = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);

/** The statuses that have an error type of their own. OpenAI's clients choose an exception by the status and the type. */
const TYPES: Readonly<Record<number, string>> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** Returns a problem as the error object of OpenAI. */
export const openaiError = ({ kind, status, summary, errors: [first] = [] }: Problem): object => ({
  error: {
    message: summary,
    type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: first?.field ?? null,
    code: first?.code ?? kind,
  },
});

/** The schema of an error object of OpenAI. */
export const OPENAI_ERROR: NamedSchema = {
  name: 'OpenaiError',
  schema: {
    type: 'object',
    description: 'An error as OpenAI sends it',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'param', 'code'],
        properties: {
          message: { type: 'string', description: 'The cause, as a text for people' },
          type: {
            type: 'string',
            enum: ['invalid_request_error', 'authentication_error', 'permission_error', 'rate_limit_error', 'server_error'],
            description: 'The kind of error',
          },
          param: { type: ['string', 'null'], description: 'The first invalid field, or null' },
          code: { type: 'string', description: 'The code of the first invalid field, or the kind of the problem' },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
};
