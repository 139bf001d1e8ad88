import 'reflect-metadata';
import { applyDecorators, HttpCode, Req, RequestMapping, RequestMethod, Res, SetMetadata, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import type { OperationRequest } from '../call.js';
import type { BodyOf, OperationRecord, QueryOf } from '../operation.js';

const OPERATION = 'petstore:operation';

/** The type of an operation's handler method. */
type HandlerOf<O extends OperationRecord> = (
  request: OperationRequest<{ readonly query: QueryOf<O>; readonly body: BodyOf<O> }>,
  reply: FastifyReply,
  ...injected: never[]
) => Promise<void>;

/**
 * Makes a controller's method the handler of an operation, which Nest dispatches. Its first two parameters are the request and the
 * reply; Nest's parameter decorators say what the others are. The method does not compile if its body or query type differs from
 * that of the record.
 */
export const Operation =
  <const O extends OperationRecord>(operation: O) =>
  <H extends HandlerOf<O>>(controller: object, name: string, method: TypedPropertyDescriptor<H>): void => {
    applyDecorators(
      // Nest sets a status before the handler. Its default is 201 for every POST.
      HttpCode(operation.success.status),
      RequestMapping({ path: operation.path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[operation.method] }),
      RouteConfig({ operation }),
      SetMetadata(OPERATION, operation),
    )(controller, name, method);
    Req()(controller, name, 0);
    Res()(controller, name, 1);
  };

const operationsOfController = ({ prototype }: Type<object>): readonly OperationRecord[] =>
  Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = (prototype as Readonly<Record<string, unknown>>)[name];
    const operation = typeof method === 'function' ? (Reflect.getMetadata(OPERATION, method) as OperationRecord | undefined) : undefined;
    return operation ?? [];
  });

/** Returns the controllers of modules. */
export const controllersOf = (modules: readonly Type<object>[]): readonly Type<object>[] =>
  modules.flatMap((module) => (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as readonly Type<object>[]);

/** Returns the operations of controllers by their ids. Throws if two have the same id. */
export const operationsOf = (controllers: readonly Type<object>[]): Readonly<Record<string, OperationRecord>> => {
  const operations: Record<string, OperationRecord> = {};
  for (const operation of controllers.flatMap(operationsOfController)) {
    if (operations[operation.id]) throw new Error(`two operations have the id ${operation.id}`);
    operations[operation.id] = operation;
  }
  return operations;
};
