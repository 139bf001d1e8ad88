import { Module } from '@nestjs/common';
import { SignInController } from './sign-in.controller.js';

/** Serves the operations for signing in. */
@Module({ controllers: [SignInController] })
export class SignInModule {}
