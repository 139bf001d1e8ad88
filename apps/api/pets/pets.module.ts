import { Module } from '@nestjs/common';
import { PetsController } from './pets.controller.js';

/** The catalog: list, search and manage pets. */
@Module({ controllers: [PetsController] })
export class PetsModule {}
