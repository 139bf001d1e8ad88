import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { AskAdvisor, type Answer } from '../../../libs/application/chat/ask-advisor.query.js';
import { withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import type { RequestLog } from '../http/pipeline/request-log.js';
import { sentPathOf } from '../http/pipeline/request-path.js';
import { problemBody } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { JSON_TYPE } from '../http/responses.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS, REQUEST_LOG } from '../tokens.js';
import { failureOfStream, readAnswer, unlessClosed, untilClosed } from './answers.js';
import { ChatCompletion, ChatRequest, conversationOf } from './chat.dto.js';
import { CHAT_COMPLETION_EXAMPLE, CHAT_EXAMPLE } from './chat.examples.js';
import { CHAT_CHUNK, chunksOf } from './chunks.js';
import { dataEvent, sendEventStream } from '../http/event-stream.js';

@Controller()
export class ChatController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(REQUEST_LOG) private readonly log: Pick<RequestLog, 'logFailure'>,
  ) {}

  @Operation({
    id: 'createChatCompletion',
    method: 'POST',
    path: '/v1/chat/completions',
    access: withScope('chat:write'),
    tag: 'Chat',
    summary: 'Ask the pet advisor',
    description:
      'Answers the last message of a conversation. The answer uses the current catalog of pets. With `stream: true`, the default, ' +
      'the response is a stream of server-sent events: the chunks of the answer, and `[DONE]` at the end. ' +
      'Nothing is created or stored. At most 60 requests a minute are accepted with one token.',
    limit: 'chat',
    body: shapeOf(ChatRequest),
    bodyExample: CHAT_EXAMPLE,
    readsOnly: true,
    success: {
      status: 201,
      description: 'The answer',
      schema: ChatCompletion,
      example: CHAT_COMPLETION_EXAMPLE,
      events: CHAT_CHUNK,
      isComputed: true,
    },
    problems: [],
  })
  async create(request: OperationRequest<{ body: ChatRequest }>, reply: FastifyReply): Promise<void> {
    const { body, tenant } = request.call;
    const signal = untilClosed(reply);
    const conversation = conversationOf(body);
    const answer = await this.queries.execute(new AskAdvisor(conversation, tenant, signal));
    const { model } = conversation;
    const send = (body.stream ?? true) ? this.stream(answer, model, reply) : this.sendCompletion(answer, model, reply);
    await unlessClosed(reply, signal, send);
  }

  private async sendCompletion(answer: Answer, model: string, reply: FastifyReply): Promise<void> {
    const { text, finishReason, promptTokens, completionTokens } = await readAnswer(answer);
    const completion: ChatCompletion = {
      id: answer.id,
      object: 'chat.completion',
      created: answer.created,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finishReason }],
      usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    };
    reply.code(201).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(completion));
  }

  private stream(answer: Answer, model: string, reply: FastifyReply): Promise<void> {
    const chunks = chunksOf({ ...answer, model });
    return sendEventStream(reply, 201, {
      parts: answer.parts,
      first: () => dataEvent(chunks.first()),
      eventsOf: (part) => dataEvent(chunks.of(part)),
      last: dataEvent('[DONE]'),
      failure: (error) => {
        const problem = failureOfStream(error, reply, this.log);
        return `event: error\n${dataEvent(problemBody(problem, this.address.url, sentPathOf(reply.request)))}`;
      },
    });
  }
}
