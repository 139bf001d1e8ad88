import { Module } from '@nestjs/common';
import { CheckpointsController } from './checkpoints.controller.js';
import { ExportsController } from './exports.controller.js';
import { HistoryController } from './history.controller.js';
import { LogController } from './log.controller.js';

/** Serves the operations for auditors: histories, the log, its checkpoints and its exports. */
@Module({ controllers: [HistoryController, LogController, CheckpointsController, ExportsController] })
export class AuditModule {}
