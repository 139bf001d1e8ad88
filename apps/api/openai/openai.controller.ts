import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { AskAdvisor, type Answer, type AnswerPart } from '../../../libs/application/chat/ask-advisor.query.js';
import { failureOfStream, readAnswer, unlessClosed, untilClosed } from '../chat/answers.js';
import { conversationOf } from '../chat/chat.dto.js';
import { chunksOf } from '../chat/chunks.js';
import { dataEvent, sendEventStream } from '../http/event-stream.js';
import { withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import type { RequestLog } from '../http/pipeline/request-log.js';
import { openaiError } from '../http/problems/openai-error.js';
import { Problem } from '../http/problems/problem.js';
import { JSON_TYPE } from '../http/responses.js';
import { REQUEST_LOG } from '../tokens.js';
import { MODEL_NAMES, OpenaiChatCompletion, OpenaiModel, OpenaiModelList, type OpenaiUsage } from './openai-chat.dto.js';
import { OPENAI_CHUNK } from './openai-chunks.js';
import { MODEL_NOT_FOUND, MODELS, OPENAI_COMPLETION_EXAMPLE, OPENAI_EXAMPLE } from './openai.examples.js';
import { modelNamed, OPENAI_REQUEST, type OpenaiInput } from './openai-request.js';

/** Serves the chat of `/v1/chat/completions` in the shapes of OpenAI, for programs with a client of OpenAI (contract 41.9). */
@Controller()
export class OpenaiController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(REQUEST_LOG) private readonly log: Pick<RequestLog, 'logFailure'>,
  ) {}

  @Operation({
    id: 'createOpenaiChatCompletion',
    method: 'POST',
    path: '/v1/openai/chat/completions',
    access: withScope('chat:write'),
    tag: 'Chat',
    summary: 'Ask the pet advisor with an OpenAI client',
    description:
      'Does the same as `POST /v1/chat/completions`, in the format of OpenAI. ' +
      'Configure an unmodified OpenAI client with the base URL `/v1/openai`, and with an access token as its API key. ' +
      'Errors are error objects of OpenAI.',
    limit: 'chat',
    body: OPENAI_REQUEST,
    bodyExample: OPENAI_EXAMPLE,
    validationProblem: 'invalid-request',
    readsOnly: true,
    success: {
      status: 200,
      description: 'The answer',
      schema: OpenaiChatCompletion,
      example: OPENAI_COMPLETION_EXAMPLE,
      events: OPENAI_CHUNK,
      isComputed: true,
    },
    problems: [MODEL_NOT_FOUND],
  })
  async create(request: OperationRequest<{ body: OpenaiInput }>, reply: FastifyReply): Promise<void> {
    const { body, tenant } = request.call;
    const { includesUsage, model: name, ...chat } = body;
    const advisorModel = modelNamed(name);
    if (!advisorModel) throw modelNotFound();
    const signal = untilClosed(reply);
    const conversation = conversationOf({ ...chat, model: advisorModel });
    const answer = await this.queries.execute(new AskAdvisor(conversation, tenant, signal));
    const model = MODEL_NAMES[conversation.model];
    await unlessClosed(
      reply,
      signal,
      body.stream ? this.stream(answer, model, includesUsage, reply) : this.sendCompletion(answer, model, reply),
    );
  }

  @Operation({
    id: 'listOpenaiModels',
    method: 'GET',
    path: '/v1/openai/models',
    access: withScope('chat:write'),
    tag: 'Chat',
    summary: 'List the models for OpenAI clients',
    description: 'Returns the models of the chat in the format of OpenAI.',
    success: { status: 200, description: 'The models', schema: OpenaiModelList, example: MODELS, isComputed: true },
    problems: [],
  })
  async list(_request: OperationRequest, reply: FastifyReply): Promise<void> {
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(MODELS));
  }

  @Operation({
    id: 'getOpenaiModel',
    method: 'GET',
    path: '/v1/openai/models/{id}',
    access: withScope('chat:write'),
    idForm: 'any',
    tag: 'Chat',
    summary: 'Get a model for OpenAI clients',
    description: 'Returns a model of the chat in the format of OpenAI.',
    success: { status: 200, description: 'The model', schema: OpenaiModel, example: MODELS.data[0], isComputed: true },
    problems: [MODEL_NOT_FOUND],
  })
  async get(request: OperationRequest, reply: FastifyReply): Promise<void> {
    const modelName = modelNamed(request.call.id);
    const model = MODELS.data.find(({ id }) => modelName && id === MODEL_NAMES[modelName]);
    if (!model) throw modelNotFound();
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(model));
  }

  private async sendCompletion(answer: Answer, model: string, reply: FastifyReply): Promise<void> {
    const { text, finishReason, promptTokens, completionTokens } = await readAnswer(answer);
    const message = { role: 'assistant', content: text, refusal: null } as const;
    const completion: OpenaiChatCompletion = {
      id: answer.id,
      object: 'chat.completion',
      created: answer.created,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason.toLowerCase() }],
      usage: usageOf(promptTokens, completionTokens),
    };
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(completion));
  }

  private stream(answer: Answer, model: string, includesUsage: boolean, reply: FastifyReply): Promise<void> {
    const chunks = chunksOf({ ...answer, model });
    // If the request has include_usage, all chunks have the member `usage`. It is null except in an additional last chunk.
    const event = (chunk: object): string => dataEvent(includesUsage ? { ...chunk, usage: null } : chunk);
    const eventsOf = async (part: AnswerPart): Promise<string> => {
      const chunk = event(chunks.of(part));
      if (part.kind === 'text' || !includesUsage) return chunk;
      const usage = usageOf(await answer.countPrompt(), part.tokens);
      // Every chunk has the same id, time and model. The additional chunk has no choices.
      return chunk + dataEvent({ ...chunks.first(), choices: [], usage });
    };
    return sendEventStream(reply, 200, {
      parts: answer.parts,
      first: () => event(chunks.first()),
      eventsOf,
      last: dataEvent('[DONE]'),
      failure: (error) => dataEvent(openaiError(failureOfStream(error, reply, this.log))),
    });
  }
}

const modelNotFound = (): Problem => new Problem('not-found', MODEL_NOT_FOUND.notFound, MODEL_NOT_FOUND);

const usageOf = (prompt: number, completion: number): OpenaiUsage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
