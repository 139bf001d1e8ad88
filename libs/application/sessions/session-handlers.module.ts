import { Module } from '@nestjs/common';
import { EndSessionHandler, ListSessionsHandler, StartSessionHandler } from './session.handlers.js';

/** The command and query handlers of sessions. */
@Module({ providers: [StartSessionHandler, EndSessionHandler, ListSessionsHandler] })
export class SessionHandlersModule {}
