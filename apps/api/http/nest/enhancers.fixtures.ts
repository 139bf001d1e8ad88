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
import { ANYBODY } from '../admission/access.js';
import { operationHandlers } from './operation.decorator.js';

/** One of each kind that only Nest's own dispatch would run. */
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

/** A record of an operation that reads neither query nor body. */
export const GET_PET: OperationRecord = {
  id: 'getPet',
  method: 'GET',
  path: '/v1/pets/{id}',
  access: ANYBODY,
  tag: 'Pets',
  summary: 'Read a pet',
  description: '',
  success: { status: 200, description: 'The pet' },
  problems: [],
};

/** The message with which a controller is refused; null when it is not. */
export const startupErrorOf = (controller: Type<object>): string | null => {
  try {
    operationHandlers([controller], () => new controller());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
