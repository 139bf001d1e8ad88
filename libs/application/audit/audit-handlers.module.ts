import { Module } from '@nestjs/common';
import { CHECKPOINT_HANDLERS } from './checkpoint.handlers.js';
import { GetStoreHealthHandler } from './store-health.query.js';

/** The command and query handlers of audits. */
@Module({ providers: [...CHECKPOINT_HANDLERS, GetStoreHealthHandler] })
export class AuditHandlersModule {}
