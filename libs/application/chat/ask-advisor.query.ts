import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { advise, screen } from '../../advisor/advise.js';
import type { Catalogue } from '../../advisor/catalogue.js';
import type { Advice, Question } from '../../advisor/question.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Ids } from '../../eventsourcing/ports/ids.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { AdvisorFault, Advisor } from '../../ports/chat/advisor.port.js';
import { Tokenizer } from '../../ports/chat/tokenizer.port.js';
import type { ResultOf } from '../request.js';
import { catalogueOf, modelCatalogueOf } from './catalogue.js';

/** A conversation to answer. */
export type Conversation = Omit<Question, 'seed'> & { readonly maxTokens: number };

/** `LENGTH`: the answer was cut at `maxTokens`. `CONTENT_FILTER`: the request was refused as harmful. */
export type FinishReason = 'STOP' | 'LENGTH' | 'CONTENT_FILTER';

/** A part of an answer. The last part has the finish reason and the number of tokens of the whole answer. */
export type AnswerPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'end'; readonly finishReason: FinishReason; readonly tokens: number };

/** An answer that is being made. */
export type Answer = {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The parts can be read only once. Reading throws if the store is unavailable, or after the signal has aborted. */
  readonly parts: AsyncIterator<AnswerPart, undefined>;
  /** Counts the tokens of all messages of the conversation. */
  readonly countPrompt: () => Promise<number>;
};

/** Asks the advisor about the pets of a tenant. The work stops when the signal aborts. */
export class AskAdvisor extends Query<Answer> {
  constructor(
    readonly conversation: Conversation,
    readonly tenant: string,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

@QueryHandler(AskAdvisor)
export class AskAdvisorHandler implements IQueryHandler<AskAdvisor> {
  constructor(
    private readonly queries: QueryBus,
    @Inject(Advisor) private readonly model: Advisor | null,
    private readonly tokenizer: Tokenizer,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(query: AskAdvisor): Promise<ResultOf<AskAdvisor>> {
    const { conversation, signal } = query;
    return {
      id: `chatcmpl_${this.ids.next().replaceAll('-', '')}`,
      created: Math.floor(this.clock.now().getTime() / 1_000),
      parts: this.answer(query),
      countPrompt: async () => {
        let tokens = 0;
        for (const { content } of conversation.messages) tokens += await this.tokenizer.count(content, signal);
        return tokens;
      },
    };
  }

  private async *answer({ conversation, tenant, signal }: AskAdvisor): AsyncGenerator<AnswerPart, undefined> {
    // The first chat compiles the validation and the patterns of the rules. A turn between the two lets other requests go on.
    await yieldToEventLoop();
    const advice = await this.advise(conversation, catalogueOf(this.queries, tenant, signal), signal);
    const { text, tokens, isCut } = await this.tokenizer.cut(advice.text, conversation.maxTokens, signal);
    for (const piece of piecesOf(text)) yield { kind: 'text', text: piece };
    yield { kind: 'end', finishReason: isCut ? 'LENGTH' : advice.finishReason, tokens };
    return undefined;
  }

  /**
   * Returns the answer of the language model, if a model is configured. A request that `screen` refuses is not sent to the
   * model. If there is no model, or if it gives no usable answer, the built-in advisor answers (contract 41.10).
   */
  private async advise(
    { maxTokens, ...question }: Conversation,
    catalogue: Catalogue,
    signal: AbortSignal,
  ): Promise<Pick<Advice, 'text' | 'finishReason'>> {
    const adviseByRules = (): Promise<Advice> => advise({ ...question, seed: seedOf(question) }, catalogue);
    if (!this.model) return adviseByRules();
    const screened = screen(question.messages);
    if ('refusal' in screened) return screened.refusal;
    const screenedQuestion = { ...question, messages: screened.messages, maxTokens };
    try {
      return { text: await this.model.answer(screenedQuestion, modelCatalogueOf(catalogue), signal), finishReason: 'STOP' };
    } catch (error) {
      if (error instanceof AdvisorFault) return adviseByRules();
      throw error;
    }
  }
}

/** Derives the seed of the wording, so that equal questions get equal words (contract 41.4). */
const seedOf = ({ messages, model, temperature }: Omit<Question, 'seed'>): number => {
  const parts = [model, temperature, ...messages.flatMap(({ role, content }) => [role, content])];
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE();
};

/** Divides a text into its words, each with the space before it. */
function* piecesOf(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\s*\S+|\s+$/g)) yield piece;
}

/** The query handlers of the chat, for the module. */
export const CHAT_QUERY_HANDLERS = [AskAdvisorHandler];
