import { Module } from '@nestjs/common';
import { PET_COMMAND_HANDLERS } from './pet.handlers.js';
import { PET_QUERY_HANDLERS } from './pet.queries.js';

/** The command and query handlers of pets. */
@Module({ providers: [...PET_COMMAND_HANDLERS, ...PET_QUERY_HANDLERS] })
export class PetHandlersModule {}
