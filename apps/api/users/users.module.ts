import { Module } from '@nestjs/common';
import { UsersController } from './users.controller.js';

/** Serves the operations on accounts. */
@Module({ controllers: [UsersController] })
export class UsersModule {}
