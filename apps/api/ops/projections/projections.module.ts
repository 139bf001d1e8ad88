import { Module } from '@nestjs/common';
import { ProjectionsController } from './projections.controller.js';

/** Serves the read models to operators. */
@Module({ controllers: [ProjectionsController] })
export class ProjectionsModule {}
