import { Module } from '@nestjs/common';
import { PetsController } from './pets.controller.js';

/** The catalogue: list, find and keep pets. */
@Module({ controllers: [PetsController] })
export class PetsModule {}
