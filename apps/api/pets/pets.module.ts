import { Module } from '@nestjs/common';
import { PetsController } from './pets.controller.js';

/** Serves the operations on pets. */
@Module({ controllers: [PetsController] })
export class PetsModule {}
