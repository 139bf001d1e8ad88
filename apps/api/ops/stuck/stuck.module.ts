import { Module } from '@nestjs/common';
import { StuckController } from './stuck.controller.js';

/** Shows operators what is stuck. */
@Module({ controllers: [StuckController] })
export class StuckModule {}
