import { Allow, IsIn, IsInt, IsString } from 'class-validator';
import { Described, Documented, Nested, NestedList, Schema } from '../http/validation/rules.js';

/** The names of the models for clients of OpenAI, in lower case with hyphens as in the names of OpenAI (contract 41.9). */
export const MODEL_NAMES = { PET_ADVISOR_1: 'pet-advisor-1', PET_ADVISOR_TURBO: 'pet-advisor-turbo' } as const;
const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const;

@Documented('The answer of the advisor')
export class OpenaiAnswer {
  @IsString()
  @IsIn(['assistant'])
  @Described('The role of the answer', 'assistant')
  readonly role!: 'assistant';

  @IsString()
  @Described('The text', 'Luna may suit you.')
  readonly content!: string;

  @Allow()
  @Schema({ type: ['string', 'null'], description: 'Always null' })
  readonly refusal!: null;
}

@Documented('The answer. A response has exactly one')
export class OpenaiChoice {
  @IsInt()
  @Described('Always 0, because a response has one answer', 0)
  readonly index!: number;

  @Nested(() => OpenaiAnswer)
  @Described('The answer')
  readonly message!: OpenaiAnswer;

  @Allow()
  @Schema({ type: ['object', 'null'], description: 'Always null' })
  readonly logprobs!: null;

  @IsString()
  @IsIn(FINISH_REASONS)
  @Described(
    'stop: the answer is complete; length: the answer was cut at max_completion_tokens; content_filter: the request was declined',
    'stop',
  )
  readonly finish_reason!: string;
}

@Documented('Numbers of tokens, counted with the encoding cl100k_base')
export class OpenaiUsage {
  @IsInt()
  @Described('The number of tokens of all messages of the request', 12)
  readonly prompt_tokens!: number;

  @IsInt()
  @Described('The number of tokens of the answer', 30)
  readonly completion_tokens!: number;

  @IsInt()
  @Described('The sum of prompt_tokens and completion_tokens', 42)
  readonly total_tokens!: number;
}

@Documented('The answer to a conversation, as OpenAI sends it')
export class OpenaiChatCompletion {
  @IsString()
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
  @Described('The model of the request', 'pet-advisor-1')
  readonly model!: string;

  @NestedList(() => OpenaiChoice, 1, 1)
  @Described('The answer')
  readonly choices!: readonly OpenaiChoice[];

  @Nested(() => OpenaiUsage)
  @Described('The numbers of tokens of the request and the answer')
  readonly usage!: OpenaiUsage;
}

@Documented('A model')
export class OpenaiModel {
  @IsString()
  @Described('The name of the model in requests', 'pet-advisor-1')
  readonly id!: string;

  @IsString()
  @IsIn(['model'])
  @Described('Always model', 'model')
  readonly object!: 'model';

  @IsInt()
  @Described('When the model was added, in seconds since 1970', 1_767_225_600)
  readonly created!: number;

  @IsString()
  @Described('Always petstore', 'petstore')
  readonly owned_by!: string;
}

@Documented('The models')
export class OpenaiModelList {
  @IsString()
  @IsIn(['list'])
  @Described('Always list', 'list')
  readonly object!: 'list';

  @NestedList(() => OpenaiModel, 1, 100)
  @Described('The models')
  readonly data!: readonly OpenaiModel[];
}
