import { Module } from '@nestjs/common';
import { KEY_HANDLERS } from './key.handlers.js';

/** The command and query handlers of the service's keys. */
@Module({ providers: KEY_HANDLERS })
export class KeyHandlersModule {}
