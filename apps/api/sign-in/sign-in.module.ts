import { Module } from '@nestjs/common';
import { SessionsController } from './sessions.controller.js';
import { SignInController } from './sign-in.controller.js';

/** Serves the operations for signing in. */
@Module({ controllers: [SignInController, SessionsController] })
export class SignInModule {}
