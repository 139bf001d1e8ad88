import { CHUNK_CHOICE_MEMBERS, CHUNK_DELTA, CHUNK_MEMBERS } from '../chat/chunks.js';
import type { NamedSchema } from '../http/validation/schemas.js';

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
        anyOf: [{ $ref: '#/components/schemas/OpenaiUsage' }, { type: 'null' }],
      },
    },
  },
};
