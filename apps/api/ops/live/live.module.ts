import { Module } from '@nestjs/common';
import { LiveController } from './live.controller.js';
import { LiveState } from './live-state.js';

/** Sends what happens to operators and auditors. */
@Module({ controllers: [LiveController], providers: [LiveState] })
export class LiveModule {}
