import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { isProblemKind } from '../../../http/problems/problem-kinds.js';
import { Problem } from '../../../http/problems/problem.js';
import type { PublicAddress } from '../../../http/public-address.js';
import { PUBLIC_ADDRESS } from '../../../tokens.js';
import { sendPage } from '../page.js';
import { errorKindHtml } from './error-kind-page.js';
import { errorsHtml } from './errors-page.js';

/** Serves the pages that explain problems. The `type` of a problem is the address of its page (contract 4.6). */
@Controller('errors')
export class ErrorPagesController {
  constructor(@Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress) {}

  @Get()
  index(@Res() reply: FastifyReply): void {
    sendPage(reply, errorsHtml());
  }

  @Get(':kind')
  kind(@Param('kind') kind: string, @Res() reply: FastifyReply): void {
    if (!isProblemKind(kind)) throw new Problem('not-found', 'There is no such kind of problem.');
    sendPage(reply, errorKindHtml(kind, this.address.url));
  }
}
