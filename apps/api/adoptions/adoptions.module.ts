import { Module } from '@nestjs/common';
import { AdoptionDecisionsController } from './adoption-decisions.controller.js';
import { AdoptionsController } from './adoptions.controller.js';

/** Serves the operations on adoption applications. */
@Module({ controllers: [AdoptionsController, AdoptionDecisionsController] })
export class AdoptionsModule {}
