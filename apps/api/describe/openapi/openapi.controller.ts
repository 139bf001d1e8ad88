import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { describedAt } from '../pages/described.js';
import { REVALIDATE, sendRead } from '../../http/answers.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PUBLIC_ADDRESS } from '../../tokens.js';
import { openapiDocument } from './document.js';

/** The description of the interface. */
@Controller()
export class OpenapiController {
  private readonly described: ReturnType<typeof describedAt>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress) {
    this.described = describedAt(address, openapiDocument);
  }

  @Get('openapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
