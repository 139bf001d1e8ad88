import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module.js';
import { ChangePetHandler } from './change-pet.handler.js';
import { IMAGE_COMMAND_HANDLERS } from './image.handlers.js';
import { IMAGE_QUERY_HANDLERS } from './image.queries.js';
import { NUMBERED_PET_QUERY_HANDLERS } from './numbered-pet.queries.js';
import { PET_COMMAND_HANDLERS } from './pet.handlers.js';
import { PET_NAME_QUERY_HANDLERS } from './pet-names.query.js';
import { PET_QUERY_HANDLERS } from './pet.queries.js';

/** The command and query handlers of pets. */
@Module({
  imports: [NumbersModule],
  providers: [
    ChangePetHandler,
    ...PET_COMMAND_HANDLERS,
    ...PET_QUERY_HANDLERS,
    ...PET_NAME_QUERY_HANDLERS,
    ...NUMBERED_PET_QUERY_HANDLERS,
    ...IMAGE_COMMAND_HANDLERS,
    ...IMAGE_QUERY_HANDLERS,
  ],
})
export class PetHandlersModule {}
