import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';

/** Serves the operations on the service's keys. */
@Module({ controllers: [KeysController] })
export class KeysModule {}
