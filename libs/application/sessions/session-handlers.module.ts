import { Module } from '@nestjs/common';
import { EndSessionHandler, ListSessionsHandler, StartSessionHandler } from './session.handlers.js';
import { CheckPasswordHandler } from './sign-in.query.js';

/** The command and query handlers of sessions. */
@Module({ providers: [CheckPasswordHandler, StartSessionHandler, EndSessionHandler, ListSessionsHandler] })
export class SessionHandlersModule {}
