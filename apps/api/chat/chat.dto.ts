import { IsBoolean, IsIn, IsInt, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import { AS_SENT, inputOf, NOT_IN_INPUT } from '../http/validation/input-mapping.js';
import { Characters, Described, Documented, Nested, NestedList, Optional, Schema } from '../http/validation/rules.js';
import type { Conversation } from '../../../libs/application/chat/ask-advisor.query.js';

const ROLES = ['SYSTEM', 'USER', 'ASSISTANT'] as const;
const MODELS = ['PET_ADVISOR_1', 'PET_ADVISOR_TURBO'] as const;
const FINISH_REASONS = ['STOP', 'LENGTH', 'CONTENT_FILTER'] as const;

/** A body of 1 MiB has at most this many characters (contract 41.1). */
const MAX_CHARACTERS = 1_048_576;
const MAX_MESSAGES = 2_048;
const MAX_TOKENS = 4_096;
const DEFAULT_MAX_TOKENS = 1_024;

@Documented('A message of a conversation')
export class ChatMessage {
  @IsString()
  @IsIn(ROLES)
  @Described('Who wrote the message', 'USER')
  readonly role!: (typeof ROLES)[number];

  @Characters(0, MAX_CHARACTERS)
  @Described('The text', 'I am looking for a calm dog for a family with children.')
  readonly content!: string;
}

@Documented('A conversation with the pet advisor')
export class ChatRequest {
  @NestedList(() => ChatMessage, 1, MAX_MESSAGES)
  @Described('The whole conversation, oldest message first. The service does not store the conversation')
  readonly messages!: readonly ChatMessage[];

  @Optional()
  @IsString()
  @IsIn(MODELS)
  @Schema({
    description: 'The model of the advisor. PET_ADVISOR_TURBO gives shorter answers',
    default: 'PET_ADVISOR_1',
    examples: ['PET_ADVISOR_1'],
  })
  readonly model?: (typeof MODELS)[number];

  @Optional()
  @IsBoolean()
  @Schema({
    description: 'true: the response is a stream of server-sent events; false: the response is one JSON object',
    default: true,
    examples: [false],
  })
  readonly stream?: boolean;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOKENS)
  @Schema({ description: 'The maximum number of tokens of the answer', default: DEFAULT_MAX_TOKENS, examples: [256] })
  readonly maxTokens?: number;

  @Optional()
  @IsNumber()
  @Min(0)
  @Max(2)
  @Schema({ description: 'How much the wording of the answer may vary. The facts never vary', default: 1, examples: [1] })
  readonly temperature?: number;
}

@Documented('The answer of the advisor')
export class ChatAnswer {
  @IsString()
  @IsIn(['assistant'])
  @Described('The role of the answer', 'assistant')
  readonly role!: 'assistant';

  @IsString()
  @Described('The text', 'Luna may suit you.')
  readonly content!: string;
}

@Documented('The answer. A response has exactly one')
export class ChatChoice {
  @IsInt()
  @Min(0)
  @Described('Always 0, because a response has one answer', 0)
  readonly index!: number;

  @Nested(() => ChatAnswer)
  @Described('The answer')
  readonly message!: ChatAnswer;

  @IsString()
  @IsIn(FINISH_REASONS)
  @Described(
    'STOP: the answer is complete; LENGTH: the answer was cut at maxTokens; CONTENT_FILTER: the advisor declined a harmful request',
    'STOP',
  )
  readonly finishReason!: (typeof FINISH_REASONS)[number];
}

@Documented('Numbers of tokens, counted with the encoding cl100k_base')
export class ChatUsage {
  @IsInt()
  @Min(0)
  @Described('The number of tokens of all messages of the request', 12)
  readonly promptTokens!: number;

  @IsInt()
  @Min(0)
  @Described('The number of tokens of the answer', 30)
  readonly completionTokens!: number;

  @IsInt()
  @Min(0)
  @Described('The sum of promptTokens and completionTokens', 42)
  readonly totalTokens!: number;
}

@Documented('The answer to a conversation, as one object')
export class ChatCompletion {
  @IsString()
  @Matches(/^chatcmpl_[a-z0-9]+$/u)
  @Described('Id of the answer', 'chatcmpl_0190a6b27c1e7a349b0f3f1a5c2d4e60')
  readonly id!: string;

  @IsString()
  @IsIn(['chat.completion'])
  @Described('Always chat.completion', 'chat.completion')
  readonly object!: 'chat.completion';

  @IsInt()
  @Described('When the answer was made, in seconds since 1970', 1_767_323_045)
  readonly created!: number;

  @IsString()
  @Described('The model of the request', 'PET_ADVISOR_1')
  readonly model!: string;

  @NestedList(() => ChatChoice, 1, 1)
  @Described('The answer')
  readonly choices!: readonly ChatChoice[];

  @Nested(() => ChatUsage)
  @Described('The numbers of tokens of the request and the answer')
  readonly usage!: ChatUsage;
}

/** Maps the body to the conversation, with the defaults of the interface (contract 41.1). */
export const conversationOf = inputOf<ChatRequest, Conversation>({
  messages: AS_SENT,
  model: ({ model }) => model ?? 'PET_ADVISOR_1',
  temperature: ({ temperature }) => temperature ?? 1,
  maxTokens: ({ maxTokens }) => maxTokens ?? DEFAULT_MAX_TOKENS,
  stream: NOT_IN_INPUT,
});
