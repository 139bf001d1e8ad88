import { Module } from '@nestjs/common';
import { OperatorsDeliveriesController } from './deliveries.controller.js';

/** Lists the deliveries of all tenants for operators. */
@Module({ controllers: [OperatorsDeliveriesController] })
export class OperatorsDeliveriesModule {}
