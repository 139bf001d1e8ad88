import 'reflect-metadata';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS, type OperationId } from '../../operations.js';
import { refuseEnhancersOf } from './enhancers.js';

const OPERATION = 'petstore:operation';

/** Makes a controller's method the handler of an operation: its method and path are the operation's; it gets request and reply. */
export const Operation = (id: OperationId): MethodDecorator => {
  const { method, path } = OPERATIONS[id];
  return applyDecorators(
    RequestMapping({ path: path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[method] }),
    RouteConfig({ operation: id }),
    SetMetadata(OPERATION, id),
  );
};

export type OperationHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The handlers of operations, to be called without Nest's own dispatch: what that has between a request and its handler
 * (guards, pipes, interceptors, filters, parameter decorators) costs as much as reading a pet, and no operation uses it.
 * A controller that asks for it fails the start.
 */
export const operationHandlers = (
  controllers: readonly Type<object>[],
  instanceOf: (controller: Type<object>) => object,
): ReadonlyMap<OperationId, OperationHandler> => {
  const handlers = new Map<OperationId, OperationHandler>();
  for (const controller of controllers) {
    for (const name of Object.getOwnPropertyNames(controller.prototype)) {
      const method = (controller.prototype as Readonly<Record<string, unknown>>)[name];
      const id = typeof method === 'function' ? (Reflect.getMetadata(OPERATION, method) as OperationId | undefined) : undefined;
      if (id === undefined || typeof method !== 'function') continue;
      refuseEnhancersOf(controller, name);
      handlers.set(id, (method as OperationHandler).bind(instanceOf(controller)));
    }
  }
  return handlers;
};
