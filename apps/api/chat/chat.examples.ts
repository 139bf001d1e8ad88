const ID = 'chatcmpl_0190a6b27c1e7a349b0f3f1a5c2d4e60';
const CREATED = 1_767_323_045;

/** The example of a conversation. */
export const CHAT_EXAMPLE = {
  messages: [{ role: 'USER', content: 'I am looking for a calm dog for a family with children.' }],
  model: 'PET_ADVISOR_1',
  stream: false,
};

/** The example of an answer. */
export const CHAT_COMPLETION_EXAMPLE = {
  id: ID,
  object: 'chat.completion',
  created: CREATED,
  model: 'PET_ADVISOR_1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Luna may suit you.' }, finishReason: 'STOP' }],
  usage: { promptTokens: 13, completionTokens: 5, totalTokens: 18 },
};
