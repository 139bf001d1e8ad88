import 'reflect-metadata';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATIONS, type OperationId } from '../operations.js';

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
 * The handlers of operations, to be called without Nest's own dispatch: what that offers between a request and its
 * handler (guards, pipes, interceptors, parameter decorators) is not used by operations, and costs as much as reading
 * a pet. So that nobody relies on it unawares, a controller that asks for it is refused at start.
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
      refuseEnhancers(controller, method);
      handlers.set(id, (method as OperationHandler).bind(instanceOf(controller)));
    }
  }
  return handlers;
};

const refuseEnhancers = (controller: Type<object>, method: object): void => {
  for (const key of [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA])
    if (Reflect.hasMetadata(key, controller) || Reflect.hasMetadata(key, method))
      throw new Error(
        `${controller.name} asks for a guard, pipe or interceptor, which operations do not have: see http/admission.ts and http/reading.ts`,
      );
};
