import { Module } from '@nestjs/common';
import { RotateSecretHandler } from './rotate-secret.handler.js';
import { WEBHOOK_COMMAND_HANDLERS } from './webhook.handlers.js';
import { WEBHOOK_QUERY_HANDLERS } from './webhook.queries.js';

/** The command and query handlers of webhook endpoints. */
@Module({ providers: [RotateSecretHandler, ...WEBHOOK_COMMAND_HANDLERS, ...WEBHOOK_QUERY_HANDLERS] })
export class WebhookHandlersModule {}
