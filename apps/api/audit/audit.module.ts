import { Module } from '@nestjs/common';
import { CheckpointsController } from './checkpoints.controller.js';
import { HistoryController } from './history.controller.js';
import { LogController } from './log.controller.js';

/** Serves the operations for auditors: histories, the log and its checkpoints. */
@Module({ controllers: [HistoryController, LogController, CheckpointsController] })
export class AuditModule {}
