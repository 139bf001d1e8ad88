import { Module } from '@nestjs/common';
import { ClientsController } from './clients.controller.js';

/** Serves the operations on OAuth clients. */
@Module({ controllers: [ClientsController] })
export class ClientsModule {}
