import { Module } from '@nestjs/common';
import { StoreHealthController } from './health.controller.js';

/** Serves the health of the log to operators. */
@Module({ controllers: [StoreHealthController] })
export class StoreHealthModule {}
