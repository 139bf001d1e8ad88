import { CommandBus } from '@nestjs/cqrs';
export const known = CommandBus;
