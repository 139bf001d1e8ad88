import { CHUNK_CHOICE_MEMBERS, CHUNK_DELTA, CHUNK_MEMBERS } from '../chat/chunks.js';
import type { NamedSchema } from '../http/validation/schemas.js';
import type { OpenaiUsage } from './openai-chat.dto.js';

/** The members of OpenaiUsage. A reference to it could not be null (contract 25.3). */
const USAGE_MEMBERS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const satisfies readonly (keyof OpenaiUsage)[];

/** The schema of a chunk for clients of OpenAI (contract 41.9). */
export const OPENAI_CHUNK: NamedSchema = {
  name: 'OpenaiChatCompletionChunk',
  schema: {
    type: 'object',
    description: 'A piece of a streamed answer, as OpenAI sends it',
    required: ['id', 'object', 'created', 'model', 'choices'],
    properties: {
      id: { type: 'string', description: 'Id of the answer' },
      ...CHUNK_MEMBERS,
      choices: {
        type: 'array',
        description: 'The piece of the answer. Empty in the chunk with the usage',
        items: {
          type: 'object',
          required: ['index', 'delta', 'finish_reason'],
          properties: {
            ...CHUNK_CHOICE_MEMBERS,
            delta: {
              type: 'object',
              description: CHUNK_DELTA,
              properties: { role: { type: 'string', const: 'assistant' }, content: { type: 'string' } },
            },
          },
        },
      },
      usage: {
        description: 'Present only if the request has include_usage. Null except in the last chunk',
        type: ['object', 'null'],
        required: USAGE_MEMBERS,
        properties: Object.fromEntries(USAGE_MEMBERS.map((name) => [name, { type: 'integer' }])),
      },
    },
  },
};
