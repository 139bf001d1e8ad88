import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { describedAt } from '../pages/described.js';
import { REVALIDATE, sendRead } from '../../http/answers.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PUBLIC_ADDRESS, TOPIC_REPLICAS } from '../../tokens.js';
import { asyncapi30Document, asyncapiDocument } from './document.js';

/** The messages of the store in AsyncAPI (contract 25.4). */
@Controller()
export class AsyncapiController {
  private readonly described: ReturnType<typeof describedAt>;
  private readonly described30: ReturnType<typeof describedAt>;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(TOPIC_REPLICAS) replicas: number) {
    this.described = describedAt(address, (publicUrl) => asyncapiDocument(publicUrl, replicas));
    this.described30 = describedAt(address, (publicUrl) => asyncapi30Document(publicUrl, replicas));
  }

  @Get('asyncapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described();
    sendRead(reply, json, etag, REVALIDATE);
  }

  @Get('asyncapi-3.0.json')
  read30(@Res() reply: FastifyReply): void {
    const { json, etag } = this.described30();
    sendRead(reply, json, etag, REVALIDATE);
  }
}
