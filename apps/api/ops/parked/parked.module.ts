import { Module } from '@nestjs/common';
import { ParkedController } from './parked.controller.js';

/** Serves what could not be handled to operators. */
@Module({ controllers: [ParkedController] })
export class ParkedModule {}
