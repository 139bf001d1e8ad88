import { Module } from '@nestjs/common';
import { CHAT_QUERY_HANDLERS } from './ask-advisor.query.js';

/** The query handlers of the chat. */
@Module({ providers: [...CHAT_QUERY_HANDLERS] })
export class ChatHandlersModule {}
