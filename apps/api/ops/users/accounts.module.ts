import { Module } from '@nestjs/common';
import { AccountStatusController } from './account-status.controller.js';
import { AccountsController } from './accounts.controller.js';

/** Serves the operations on accounts for operators. */
@Module({ controllers: [AccountsController, AccountStatusController] })
export class AccountsModule {}
