import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module.js';
import { ChangeAccountStatusHandler } from './account-status.handlers.js';
import { CreateUserHandler } from './create-user.handler.js';
import { CreateUsersHandler } from './lists/create-users.handler.js';
import { USER_COMMAND_HANDLERS } from './user.handlers.js';
import { USER_QUERY_HANDLERS } from './user.queries.js';

/** The command and query handlers of accounts. */
@Module({
  imports: [NumbersModule],
  providers: [CreateUserHandler, CreateUsersHandler, ChangeAccountStatusHandler, ...USER_COMMAND_HANDLERS, ...USER_QUERY_HANDLERS],
})
export class UserHandlersModule {}
