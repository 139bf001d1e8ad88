import 'reflect-metadata';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationRequest } from '../call.js';
import type { BodyOf, OperationRecord, QueryOf } from '../operation.js';
import { refuseEnhancersOf } from './enhancers.js';

const OPERATION = 'petstore:operation';

/** A method that takes what the operation reads. */
type HandlerOf<O extends OperationRecord> = (
  request: OperationRequest<{ readonly query: QueryOf<O>; readonly body: BodyOf<O> }>,
  reply: FastifyReply,
) => Promise<void>;

/**
 * Makes a controller's method the handler of an operation. A method that takes another body or query than the record
 * reads does not compile.
 */
export const Operation =
  <const O extends OperationRecord>(operation: O) =>
  <H extends HandlerOf<O>>(controller: object, name: string, method: TypedPropertyDescriptor<H>): void =>
    applyDecorators(
      RequestMapping({ path: operation.path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[operation.method] }),
      RouteConfig({ operation }),
      SetMetadata(OPERATION, operation),
    )(controller, name, method);

export type OperationHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** A method that handles an operation. */
type OperationMethod = { readonly operation: OperationRecord; readonly name: string; readonly handle: OperationHandler };

const operationMethods = (controller: Type<object>): readonly OperationMethod[] =>
  Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
    const handle = (controller.prototype as Readonly<Record<string, unknown>>)[name];
    if (typeof handle !== 'function') return [];
    const operation = Reflect.getMetadata(OPERATION, handle) as OperationRecord | undefined;
    return operation ? [{ operation, name, handle: handle as OperationHandler }] : [];
  });

/** The controllers of some modules. */
export const controllersOf = (modules: readonly Type<object>[]): readonly Type<object>[] =>
  modules.flatMap((module) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as readonly Type<object>[]);

/** The operations of some controllers, by their ids. Throws for an id that two have. */
export const operationsOf = (controllers: readonly Type<object>[]): Readonly<Record<string, OperationRecord>> => {
  const operations: Record<string, OperationRecord> = {};
  for (const { operation } of controllers.flatMap(operationMethods)) {
    if (operations[operation.id]) throw new Error(`two operations have the id ${operation.id}`);
    operations[operation.id] = operation;
  }
  return operations;
};

/**
 * The handlers of operations, to be called without Nest's own dispatch: what that has between a request and its handler
 * (guards, pipes, interceptors, filters, parameter decorators) costs as much as reading a pet, and no operation uses it.
 * A controller that asks for it fails the start.
 */
export const operationHandlers = (
  controllers: readonly Type<object>[],
  instanceOf: (controller: Type<object>) => object,
): ReadonlyMap<OperationRecord, OperationHandler> => {
  const handlers = new Map<OperationRecord, OperationHandler>();
  for (const controller of controllers) {
    for (const { operation, name, handle } of operationMethods(controller)) {
      refuseEnhancersOf(controller, name);
      handlers.set(operation, handle.bind(instanceOf(controller)));
    }
  }
  return handlers;
};
