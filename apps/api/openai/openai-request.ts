import { ChatRequest } from '../chat/chat.dto.js';
import type { FieldError } from '../http/problems/error-codes.js';
import { foldEnum } from '../http/validation/canonical.js';
import type { JsonSchema, NamedSchema } from '../http/validation/schemas.js';
import { shapeOf, type Shape, type ValidationResult } from '../http/validation/shape.js';
import { isPlainObject } from '../http/validation/slow-path.js';
import { MODEL_NAMES } from './openai-chat.dto.js';

/**
 * A validated request, translated to a request of `/v1/chat/completions`. If `includesUsage` is true, the last chunk of a
 * stream has the usage.
 */
export type OpenaiInput = Omit<ChatRequest, 'model'> & {
  /** The name of the model, as sent. The service may not have it. */
  readonly model: string;
  readonly stream: boolean;
  readonly includesUsage: boolean;
};

type Members = Readonly<Record<string, unknown>>;

type TypedSchema = JsonSchema & { readonly type: string };

/** A value that may be null. It lists no values, because some generators cannot write a list with null. Its description does. */
const nullable = ({ type, ...rules }: TypedSchema, description: string): JsonSchema => ({ description, ...rules, type: [type, 'null'] });

const ROLES = ['system', 'developer', 'user', 'assistant'] as const;
const TOKENS = { type: 'integer', minimum: 1, maximum: 4_096 };

/**
 * Members that ask for something that the advisor does not do. With these values, a client gets what it expects. Any other
 * value is rejected: a client would wait for a call, a choice or a JSON document that never comes (contract 41.9).
 */
const LIMITED: Readonly<
  Record<string, { readonly schema: TypedSchema; readonly accepts: (value: unknown) => boolean; readonly message: string }>
> = {
  tool_choice: {
    schema: { type: 'string' },
    accepts: (value) => value === 'none' || value === 'auto',
    message: 'must be none or auto, because the advisor calls no tools',
  },
  function_call: {
    schema: { type: 'string' },
    accepts: (value) => value === 'none' || value === 'auto',
    message: 'must be none or auto, because the advisor calls no functions',
  },
  response_format: {
    schema: { type: 'object', required: ['type'], properties: { type: { type: 'string', const: 'text' } } },
    accepts: (value) => isPlainObject(value) && value['type'] === 'text',
    message: 'must have the type text, because the advisor answers in plain text only',
  },
  n: {
    schema: { type: 'integer' },
    accepts: (value) => value === 1,
    message: 'must be 1, because a response has one answer',
  },
  logprobs: {
    schema: { type: 'boolean' },
    accepts: (value) => value === false,
    message: 'must be false, because the advisor computes no probabilities',
  },
  top_logprobs: {
    schema: { type: 'integer' },
    accepts: (value) => value === 0,
    message: 'must be 0, because the advisor computes no probabilities',
  },
};

/** The schema of a request. Members that the schema does not name are ignored (contract 41.9). */
const REQUEST: NamedSchema = {
  name: 'OpenaiChatRequest',
  schema: {
    type: 'object',
    description: 'A conversation, as OpenAI clients send it. Members that this schema does not name are ignored',
    required: ['messages'],
    properties: {
      messages: {
        type: 'array',
        minItems: 1,
        maxItems: 2_048,
        description: 'The whole conversation, oldest message first',
        items: {
          type: 'object',
          required: ['role'],
          properties: {
            role: {
              type: 'string',
              enum: ROLES,
              description: 'Who wrote the message. developer has the same meaning as system',
            },
            // It has no type: generators for Java write code for a union of a text and a list that does not compile.
            content: {
              description:
                'The text, or a list of its parts: objects with `type`, which is text, and `text`. Null or an absent content means an empty text',
              examples: ['I am looking for a calm dog.'],
            },
          },
        },
      },
      model: nullable(
        { type: 'string', 'x-extensible-enum': Object.values(MODEL_NAMES) },
        'The name of a model from /v1/openai/models; by default pet-advisor-1. Another name is 404',
      ),
      stream: nullable(
        { type: 'boolean' },
        'true: the response is a stream of server-sent events; false, the default: the response is one JSON object',
      ),
      stream_options: nullable(
        { type: 'object', properties: { include_usage: { type: 'boolean' } } },
        'With include_usage, a stream has an additional last chunk with the usage',
      ),
      max_completion_tokens: nullable(TOKENS, 'The maximum number of tokens of the answer; by default 1,024'),
      max_tokens: nullable(TOKENS, 'The older name of max_completion_tokens'),
      temperature: nullable({ type: 'number', minimum: 0, maximum: 2 }, 'How much the wording of the answer may vary; by default 1'),
      ...Object.fromEntries(Object.entries(LIMITED).map(([name, { schema, message }]) => [name, nullable(schema, message)])),
    },
  },
};

/**
 * The shape of a request. The request is translated to a request of `/v1/chat/completions`, whose rules validate it. The
 * errors name the fields as the client sent them.
 */
export const OPENAI_REQUEST: Shape<OpenaiInput> = {
  dto: REQUEST,
  compile: () => {
    const read = shapeOf(ChatRequest).compile();
    return (value) => {
      if (!isPlainObject(value)) return { errors: [{ field: 'body', message: 'must be a JSON object', code: 'invalid_type' }] };
      const result = read(chatRequestOf(value));
      const errors = [
        ...errorsOf(result, limitOf(value)),
        ...(limitOf(value) === 'max_tokens' ? [] : errorsOfOlderLimit(read, value['max_tokens'])),
        ...errorsOfOptions(value['stream_options']),
        ...errorsOfLimited(value),
      ];
      if ('errors' in result || errors.length > 0) return { errors };
      const { stream = false, ...request } = result.value;
      const { stream_options: options, model } = value;
      const name = typeof model === 'string' ? model : MODEL_NAMES.PET_ADVISOR_1;
      return { value: { ...request, model: name, stream, includesUsage: isPlainObject(options) && options['include_usage'] === true } };
    };
  },
};

/** The model with this name. Undefined if there is none: that is no invalid request, but 404 (contract 41.9). */
export const modelNamed = (name: string): keyof typeof MODEL_NAMES | undefined =>
  MODELS.find((model) => foldEnum(model) === foldEnum(name));

const MODELS = Object.keys(MODEL_NAMES) as readonly (keyof typeof MODEL_NAMES)[];

/**
 * Translates a request. Leaves out unknown members, the name of the model, and members that are null: clients of OpenAI send
 * null for absent values.
 */
const chatRequestOf = ({ messages, model, stream, temperature, ...others }: Members): Members => {
  const maxTokens = others['max_completion_tokens'] ?? others['max_tokens'];
  const members = {
    messages: Array.isArray(messages) ? messages.map(messageOf) : messages,
    model: typeof model === 'string' ? undefined : model,
    ...{ stream, temperature, maxTokens },
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
};

const isDeveloper = (role: unknown): boolean => typeof role === 'string' && role.toLowerCase() === 'developer';

const messageOf = (message: unknown): unknown => {
  if (!isPlainObject(message)) return message;
  const { role, content } = message;
  return {
    ...(role !== undefined && { role: isDeveloper(role) ? 'system' : role }),
    content: textOf(content),
  };
};

/** Joins the text parts of a content. Leaves a list with other parts, such as images, unchanged: validation rejects it. */
const textOf = (content: unknown): unknown => {
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) => (isPlainObject(part) && part['type'] === 'text' ? part['text'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content;
};

/** Returns the errors of `stream_options`, which the rules of the chat do not know. */
const errorsOfOptions = (options: unknown): readonly FieldError[] => {
  if (options === undefined || options === null) return [];
  if (!isPlainObject(options)) return [{ field: 'stream_options', message: 'must be an object', code: 'invalid_type' }];
  const { include_usage: includesUsage } = options;
  if (includesUsage === undefined || typeof includesUsage === 'boolean') return [];
  return [{ field: 'stream_options.include_usage', message: 'must be true or false', code: 'invalid_type' }];
};

/** Returns the errors of the members that may have only the values for which the answer is what the client expects. */
const errorsOfLimited = (request: Members): readonly FieldError[] =>
  Object.entries(LIMITED).flatMap(([field, { accepts, message }]) => {
    const value = request[field] ?? null;
    return value === null || accepts(value) ? [] : [{ field, message, code: 'unsupported_value' }];
  });

const ROLE_MESSAGE = `must be one of ${ROLES.join(', ')}; messages of tools are not read`;
const CONTENT_MESSAGE = 'must be a text, or a list of parts of the type text: the advisor reads only text';

/** Returns the errors of a translated request, in terms of OpenAI. `limit` is the name that the client used for `maxTokens`. */
const errorsOf = (result: ValidationResult<ChatRequest>, limit: string): readonly FieldError[] =>
  'errors' in result
    ? result.errors.map((error) => {
        if (error.field === 'maxTokens') return { ...error, field: limit };
        if (error.code === 'invalid_enum' && error.field.endsWith('.role')) return { ...error, message: ROLE_MESSAGE };
        if (error.code === 'invalid_type' && error.field.endsWith('.content')) return { ...error, message: CONTENT_MESSAGE };
        return error;
      })
    : [];

/**
 * Returns the errors of `max_tokens` in a request that also has `max_completion_tokens`. The service ignores `max_tokens` in
 * such a request, but the value must be valid (contract 41.9). A request must have a message, so this check adds the message `-`.
 */
const errorsOfOlderLimit = (read: (value: unknown) => ValidationResult<ChatRequest>, limit: unknown): readonly FieldError[] =>
  errorsOf(read(chatRequestOf({ messages: [{ role: 'user', content: '-' }], max_tokens: limit })), 'max_tokens');

/** Returns the name of the member that limits the answer. A member that is null counts as absent. */
const limitOf = (request: Members): string =>
  (request['max_completion_tokens'] ?? null) === null ? 'max_tokens' : 'max_completion_tokens';
