import { Module } from '@nestjs/common';
import { ADOPTION_COMMAND_HANDLERS } from './adoption.handlers.js';
import { ADOPTION_QUERY_HANDLERS } from './adoption.queries.js';
import { CreateAdoptionHandler } from './create-adoption.handler.js';

/** The command and query handlers of adoption applications. */
@Module({ providers: [CreateAdoptionHandler, ...ADOPTION_COMMAND_HANDLERS, ...ADOPTION_QUERY_HANDLERS] })
export class AdoptionHandlersModule {}
