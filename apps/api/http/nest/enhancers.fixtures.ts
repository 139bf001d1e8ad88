import {
  Catch,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import type { OperationRecord } from '../operation.js';
import { PUBLIC } from '../admission/access.js';
import { operationHandlers } from './operation.decorator.js';

/** One enhancer of each kind. Nest runs enhancers only when it dispatches a request. Operations bypass this dispatch. */
export class OwnerGuard implements CanActivate {
  canActivate = (): boolean => false;
}
export class AuditInterceptor implements NestInterceptor {
  intercept = (_: ExecutionContext, next: CallHandler) => next.handle();
}
export class TrimPipe implements PipeTransform {
  transform = (value: unknown): unknown => value;
}
@Catch()
export class TeapotFilter implements ExceptionFilter {
  catch(): void {}
}

/** The record of an operation without query and body. */
export const GET_PET: OperationRecord = {
  id: 'getPet',
  method: 'GET',
  path: '/v1/pets/{id}',
  access: PUBLIC,
  tag: 'Pets',
  summary: 'Read a pet',
  description: '',
  success: { status: 200, description: 'The pet' },
  problems: [],
};

/** Returns the message of the startup error for a controller, or null without an error. */
export const startupErrorOf = (controller: Type<object>): string | null => {
  try {
    operationHandlers([controller], () => new controller());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
