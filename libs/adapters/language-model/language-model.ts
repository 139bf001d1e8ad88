import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, isStepCount, type ModelMessage } from 'ai';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { AdvisorFault, type Advisor, type AdvisorCatalogue, type AdvisorPet, type AdvisorQuestion } from '../../ports/chat/advisor.port.js';
import { catalogueTools } from './catalogue-tools.js';
import { checkCitations } from './citations.js';
import { conversationText, correction, instructionsFor } from './instructions.js';
import { createOriginFetch } from './origin-fetch.js';

/** Limits of one answer (contract 41.10). */
const MAX_SECONDS = 25;
/** The maximum number of calls of the model until it answers. A call may end with calls of tools instead of an answer. */
const MAX_STEPS = 5;
/** The maximum number of searches for an answer. A model may call several tools in a step. */
const MAX_SEARCHES = 20;
const MAX_OUTPUT_TOKENS = 8_192;
/** The factor by which citations increase the number of tokens of an answer. */
const TOKENS_WITH_CITATIONS = 4;

type LanguageModelOptions = {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The name of the upstream model for each model of the interface. */
  readonly models: Readonly<Record<AdvisorQuestion['model'], string>>;
  readonly clock: Clock;
};

/** Creates an advisor that calls a language model with an interface like OpenAI's. */
export const openLanguageModel = ({ baseUrl, apiKey, models, clock }: LanguageModelOptions): Advisor => {
  const provider = createOpenAICompatible({
    name: 'advisor',
    baseURL: baseUrl,
    fetch: createOriginFetch(baseUrl, clock),
    ...(apiKey !== undefined && { apiKey }),
  });
  const stopping = new AbortController();
  return {
    stop: () => stopping.abort(),
    async answer(question, catalogue, signal) {
      const timeout = new AbortController();
      const cancel = clock.after(MAX_SECONDS * 1_000, () => timeout.abort());
      const ending = AbortSignal.any([signal, timeout.signal, stopping.signal]);
      try {
        return await checkedAnswer(provider(models[question.model]), question, catalogue, ending);
      } catch (error) {
        signal.throwIfAborted();
        if (stopping.signal.aborted) throw new AdvisorFault('stopping', 'the process stops');
        if (timeout.signal.aborted) throw new AdvisorFault('timeout', `no answer within ${MAX_SECONDS} s`);
        throw faultOf(error);
      } finally {
        cancel();
      }
    },
  };
};

type Model = ReturnType<ReturnType<typeof createOpenAICompatible>>;

/** Requests an answer from the model. Requests it once more if citations are missing or false (contract 41.10). */
const checkedAnswer = async (
  model: Model,
  question: AdvisorQuestion,
  catalogue: AdvisorCatalogue,
  signal: AbortSignal,
): Promise<string> => {
  const pets = new Map<string, AdvisorPet>();
  const conversation = question.messages.filter(({ role }) => role !== 'ASSISTANT').map(({ content }) => content);
  const messages: ModelMessage[] = [{ role: 'user', content: conversationText(question) }];
  const catalogueOf = reportingFaults(catalogue);
  for (const isLast of [false, true]) {
    const { text, finishReason, response } = await generateText({
      model,
      messages,
      system: instructionsFor(question.model),
      tools: catalogueTools(catalogueOf.catalogue, (pet) => void pets.set(pet.id, pet)),
      stopWhen: isStepCount(MAX_STEPS),
      temperature: question.temperature,
      // The 256 tokens leave room for calls of tools when the client allows few tokens.
      maxOutputTokens: Math.min(MAX_OUTPUT_TOKENS, 256 + TOKENS_WITH_CITATIONS * question.maxTokens),
      maxRetries: 0,
      abortSignal: signal,
    });
    catalogueOf.throwFault();
    if (finishReason !== 'stop') throw new AdvisorFault('invalid', `the finish reason is ${finishReason} instead of stop`);
    const checked = checkCitations(text, pets, conversation.join('\n'));
    if ('text' in checked) return checked.text;
    if (isLast) throw new AdvisorFault('uncited', 'statements about pets without a true citation');
    messages.push(...response.messages, { role: 'user', content: correction(checked.faults) });
  }
  // Never reached, because the last request returns or throws.
  throw new AdvisorFault('uncited', 'there is no answer');
};

/**
 * Wraps the catalogue. When a search fails, the SDK reports the error to the model and continues. To end the answer instead,
 * the wrapper stores the errors, and `throwFault` throws the first stored error. At most MAX_SEARCHES searches succeed.
 */
const reportingFaults = (catalogue: AdvisorCatalogue) => {
  const faults: unknown[] = [];
  let searches = 0;
  const search = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      if (++searches > MAX_SEARCHES) throw new AdvisorFault('invalid', `more than ${MAX_SEARCHES} searches`);
      return await read();
    } catch (error) {
      faults.push(error);
      throw error;
    }
  };
  return {
    catalogue: {
      available: (criteria, limit) => search(() => catalogue.available(criteria, limit)),
      named: (names) => search(() => catalogue.named(names)),
    } satisfies AdvisorCatalogue,
    throwFault: (): void => {
      if (faults.length > 0) throw new SearchFault(faults[0]);
    },
  };
};

/** Wraps the error of a search, so that `faultOf` distinguishes it from the errors of the model. */
class SearchFault extends Error {
  constructor(readonly error: unknown) {
    super('a search failed');
  }
}

/**
 * Returns the error to throw for a failed answer: the error of a search, or an AdvisorFault. Errors of the SDK contain the
 * conversation, so the fault has neither their message nor their cause.
 */
const faultOf = (error: unknown): unknown => {
  if (error instanceof SearchFault) return error.error;
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : null)
    if (cause instanceof AdvisorFault) return cause;
  if (APICallError.isInstance(error)) return new AdvisorFault('invalid', 'the response is not a chat completion');
  return new AdvisorFault('invalid', 'the response cannot be used');
};
