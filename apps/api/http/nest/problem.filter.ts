import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemSender } from '../problems/problem-sender.js';

/** Nest's exception filter. Sends a problem for every failure of handlers, hooks and routing. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly problems: ProblemSender) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.problems.send(failure, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
