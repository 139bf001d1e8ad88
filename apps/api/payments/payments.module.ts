import { Module } from '@nestjs/common';
import { PaymentsController } from './payments.controller.js';

/** Serves the operations on payments and receipts of orders. */
@Module({ controllers: [PaymentsController] })
export class PaymentsModule {}
