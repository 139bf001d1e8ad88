import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { cachedDescription } from '../../describe/pages/cached-description.js';
import { POLICIES, sendPage } from '../../describe/pages/page.js';
import { sendPublic } from '../../describe/pages/send-public.js';
import { operationsOf } from '../../http/nest/operation.decorator.js';
import type { PublicAddress } from '../../http/public-address.js';
import { JSON_TYPE, REVALIDATE, sendRead } from '../../http/responses.js';
import { OUTSIDE_ISSUER, PUBLIC_ADDRESS } from '../../tokens.js';
import { CLASSIC_OPERATION_CONTROLLERS } from '../classic-controllers.js';
import { classicDocument } from './classic-document.js';
import { classicReferenceDocument, classicReferenceHtml } from './classic-reference.js';

/** Serves the description of the classic variant: in OpenAPI, and as a tab of the reference (contract 39.9). */
@Controller()
export class ClassicDocumentController {
  private readonly document: ReturnType<typeof cachedDescription>;
  private readonly reference: ReturnType<typeof cachedDescription>;
  private readonly html: string;

  constructor(@Inject(PUBLIC_ADDRESS) address: PublicAddress, @Inject(OUTSIDE_ISSUER) outsideIssuer: string | null) {
    const operations = Object.values(operationsOf(CLASSIC_OPERATION_CONTROLLERS));
    this.document = cachedDescription(address, (url) => classicDocument(operations, url, outsideIssuer));
    this.html = classicReferenceHtml(operations);
    this.reference = cachedDescription(address, (url) => classicReferenceDocument(operations, url, outsideIssuer));
  }

  @Get('api/v3/openapi.json')
  read(@Res() reply: FastifyReply): void {
    const { json, etag } = this.document();
    sendRead(reply, json, etag, REVALIDATE);
  }

  @Get('docs/classic')
  page(@Res() reply: FastifyReply): void {
    sendPage(reply, this.html, { policy: POLICIES.reference });
  }

  @Get('docs/classic.json')
  async referenceDocument(@Res() reply: FastifyReply): Promise<void> {
    const { json, etag } = this.reference();
    await sendPublic(reply, { type: JSON_TYPE, content: json, etag });
  }
}
