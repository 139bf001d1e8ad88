import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { describedAt } from '../pages/described.js';
import { REVALIDATE, sendRead } from '../../http/answers.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PUBLIC_ADDRESS, TOPIC_REPLICAS } from '../../tokens.js';
import { asyncapiDocument } from './document.js';

/** The description of what the store tells on its own. */
@Controller()
export class AsyncapiController {
  private readonly described: ReturnType<typeof describedAt>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(TOPIC_REPLICAS) replicas: number) {
    this.described = describedAt(address, (publicUrl) => asyncapiDocument(publicUrl, replicas));
  }

  @Get('asyncapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
