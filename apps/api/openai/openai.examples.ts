import type { NotFound } from '../http/operation.js';
import { MODEL_NAMES, type OpenaiModelList } from './openai-chat.dto.js';

/** When the models were added: 1 January 2026, in seconds since 1970. Clients of OpenAI require this time, but do not use it. */
const ADDED = 1_767_225_600;

/** The response to `GET /v1/openai/models`, and its example. */
export const MODELS: OpenaiModelList = {
  object: 'list',
  data: Object.values(MODEL_NAMES).map((id) => ({ id, object: 'model', created: ADDED, owned_by: 'petstore' })),
};

const NO_MODEL = `There is no model of this name. The models are ${Object.values(MODEL_NAMES).join(' and ')}.`;

/** The 404 of a model that the service does not have. */
export const MODEL_NOT_FOUND: NotFound = {
  notFound: NO_MODEL,
  errors: [{ field: 'model', message: NO_MODEL, code: 'model_not_found' }],
};

/** The example of a request. */
export const OPENAI_EXAMPLE = {
  model: MODEL_NAMES.PET_ADVISOR_1,
  messages: [{ role: 'user', content: 'I am looking for a calm dog for a family with children.' }],
};

/** The example of an answer. */
export const OPENAI_COMPLETION_EXAMPLE = {
  id: 'chatcmpl_0190a6b27c1e7a349b0f3f1a5c2d4e60',
  object: 'chat.completion',
  created: 1_767_323_045,
  model: MODEL_NAMES.PET_ADVISOR_1,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Luna may suit you.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 },
};
