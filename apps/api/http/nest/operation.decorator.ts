import 'reflect-metadata';
import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationRequest } from '../call.js';
import type { BodyOf, OperationRecord, QueryOf } from '../operation.js';
import { rejectEnhancersOf } from './enhancers.js';

const OPERATION = 'petstore:operation';

/** The type of an operation's handler method. */
type HandlerOf<O extends OperationRecord> = (
  request: OperationRequest<{ readonly query: QueryOf<O>; readonly body: BodyOf<O> }>,
  reply: FastifyReply,
) => Promise<void>;

/**
 * Makes a controller's method the handler of an operation. The method does not compile if its body or query
 * type differs from that of the record.
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

/** A controller's method that handles an operation. */
type OperationMethod = { readonly operation: OperationRecord; readonly name: string; readonly handle: OperationHandler };

const operationMethods = (controller: Type<object>): readonly OperationMethod[] =>
  Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
    const handle = (controller.prototype as Readonly<Record<string, unknown>>)[name];
    if (typeof handle !== 'function') return [];
    const operation = Reflect.getMetadata(OPERATION, handle) as OperationRecord | undefined;
    return operation ? [{ operation, name, handle: handle as OperationHandler }] : [];
  });

/** Returns the controllers of modules. */
export const controllersOf = (modules: readonly Type<object>[]): readonly Type<object>[] =>
  modules.flatMap((module) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as readonly Type<object>[]);

/** Returns the operations of controllers by their ids. Throws if two have the same id. */
export const operationsOf = (controllers: readonly Type<object>[]): Readonly<Record<string, OperationRecord>> => {
  const operations: Record<string, OperationRecord> = {};
  for (const { operation } of controllers.flatMap(operationMethods)) {
    if (operations[operation.id]) throw new Error(`two operations have the id ${operation.id}`);
    operations[operation.id] = operation;
  }
  return operations;
};

/**
 * Returns the handlers of all operations. Fastify calls the handlers directly, because Nest's dispatch would double the time
 * of reading a pet. Without the dispatch, Nest's guards, pipes, interceptors, filters and parameter decorators do not run.
 * Throws if a controller has such an enhancer or decorator.
 */
export const operationHandlers = (
  controllers: readonly Type<object>[],
  instanceOf: (controller: Type<object>) => object,
): ReadonlyMap<OperationRecord, OperationHandler> => {
  const handlers = new Map<OperationRecord, OperationHandler>();
  for (const controller of controllers) {
    for (const { operation, name, handle } of operationMethods(controller)) {
      rejectEnhancersOf(controller, name);
      handlers.set(operation, handle.bind(instanceOf(controller)));
    }
  }
  return handlers;
};
