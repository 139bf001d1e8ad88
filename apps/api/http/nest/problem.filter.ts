import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemAnswers } from '../problems/problem-sender.js';

/** Nest's exception filter: answers every failure of handlers, hooks and routing with a problem. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly answers: ProblemAnswers) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answers.send(failure, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
