import type { Answer, AnswerPart } from '../../../libs/application/chat/ask-advisor.query.js';
import type { NamedSchema } from '../http/validation/schemas.js';

/** The members with the same value in all chunks of an answer. `model` is the name that the response shows. */
type Source = Pick<Answer, 'id' | 'created'> & { readonly model: string };

type Delta = { readonly role?: 'assistant'; readonly content?: string };

/** Creates the chunks of a streamed answer (contract 41.3). */
export const chunksOf = ({ id, created, model }: Source) => {
  const chunk = (delta: Delta, finishReason: string | null): object => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  return {
    first: (): object => chunk({ role: 'assistant', content: '' }, null),
    of: (part: AnswerPart): object =>
      part.kind === 'text' ? chunk({ content: part.text }, null) : chunk({}, part.finishReason.toLowerCase()),
  };
};

/**
 * This and the next two constants are parts of the schemas of two kinds of chunks: for `/v1/chat`, and for clients of OpenAI
 * (contract 41.3, 41.9).
 */
export const CHUNK_MEMBERS = {
  object: { type: 'string', const: 'chat.completion.chunk', description: 'Always chat.completion.chunk' },
  created: { type: 'integer', description: 'When the answer was made, in seconds since 1970' },
  model: { type: 'string', description: 'The model of the request' },
} as const;
export const CHUNK_CHOICE_MEMBERS = {
  index: { type: 'integer', description: 'Always 0, because a response has one answer' },
  finish_reason: {
    type: ['string', 'null'],
    enum: ['stop', 'length', 'content_filter', null],
    description: 'Why the answer ended. Null except in the last chunk',
  },
} as const;
export const CHUNK_DELTA = 'The first chunk has the role, the next chunks have text, and the last chunk has neither';

/** The schema of a chunk (contract 41.3). It is no DTO class, because the field `events` of an operation accepts only schemas. */
export const CHAT_CHUNK: NamedSchema = {
  name: 'ChatCompletionChunk',
  schema: {
    type: 'object',
    description: 'A piece of a streamed answer',
    required: ['id', 'object', 'created', 'model', 'choices'],
    properties: {
      id: { type: 'string', pattern: '^chatcmpl_[a-z0-9]+$', description: 'Id of the answer' },
      ...CHUNK_MEMBERS,
      choices: {
        type: 'array',
        description: 'The piece of the answer',
        items: {
          type: 'object',
          required: ['index', 'delta', 'finish_reason'],
          properties: {
            ...CHUNK_CHOICE_MEMBERS,
            delta: {
              type: 'object',
              description: CHUNK_DELTA,
              properties: {
                role: { type: 'string', const: 'assistant', description: 'The role of the answer' },
                content: { type: 'string', description: 'The next characters of the answer' },
              },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
};
