import { applyDecorators, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { OPERATIONS, type OperationId } from '../operations.js';

/** Makes a controller's method the handler of an operation: its method and path are the operation's. */
export const Operation = (id: OperationId): MethodDecorator => {
  const { method, path } = OPERATIONS[id];
  return applyDecorators(
    RequestMapping({ path: path.replace(/\{(\w+)\}/g, ':$1'), method: RequestMethod[method] }),
    RouteConfig({ operation: id }),
  );
};
