import { Module } from '@nestjs/common';
import { HISTORY_QUERY_HANDLERS } from './history.queries.js';
import { LOG_QUERY_HANDLERS } from './log.queries.js';

/** The query handlers of histories. */
@Module({ providers: [...HISTORY_QUERY_HANDLERS, ...LOG_QUERY_HANDLERS] })
export class HistoryHandlersModule {}
