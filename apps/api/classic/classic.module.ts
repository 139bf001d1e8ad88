import { Module } from '@nestjs/common';
import { CLASSIC_OPERATION_CONTROLLERS } from './classic-controllers.js';
import { ClassicDocumentController } from './describe/classic-document.controller.js';

/** Serves the operations of the classic variant, and their document (contract 39.1). */
@Module({ controllers: [...CLASSIC_OPERATION_CONTROLLERS, ClassicDocumentController] })
export class ClassicModule {}
