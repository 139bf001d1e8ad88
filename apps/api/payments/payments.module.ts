import { Module } from '@nestjs/common';
import { PaymentsController } from './payments.controller.js';

/** Payments of orders, and receipts. */
@Module({ controllers: [PaymentsController] })
export class PaymentsModule {}
