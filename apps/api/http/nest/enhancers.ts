import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
  SCOPE_OPTIONS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/internal';
import { ModulesContainer, type ApplicationConfig } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemFilter } from './problem.filter.js';

/**
 * Advice for each kind of Nest enhancer or decorator that this file rejects at startup. Fastify calls the handlers of
 * operations without Nest's dispatch, so these enhancers and decorators would have no effect.
 */
const REMEDIES = {
  guard: 'Restrict the operation with the field access in @Operation().',
  pipe: 'Add the rule to the DTO, with apps/api/http/validation/rules.ts.',
  interceptor: 'Wrap the handlers in prepareRoutes of apps/api/operation-routes.ts.',
  filter: 'Throw a Problem, or map the failure in apps/api/http/problems/failures.ts.',
  parameter: 'Take the request as the only argument: request.call has ids, query and body.',
  response: 'Set it on the reply, in the handler.',
  route: 'Change the field path in @Operation().',
  middleware: 'Add a Fastify hook in prepareServer of apps/api/api.ts.',
} as const;

const reject = (owner: string, what: string, instead: keyof typeof REMEDIES): never => {
  throw new Error(`${owner} has ${what}, which would never run, because operations bypass Nest's dispatch. ${REMEDIES[instead]}`);
};

const ENHANCERS = {
  [GUARDS_METADATA]: 'guard',
  [PIPES_METADATA]: 'pipe',
  [INTERCEPTORS_METADATA]: 'interceptor',
  [EXCEPTION_FILTERS_METADATA]: 'filter',
} as const;

const OTHER_DECORATORS = {
  [HTTP_CODE_METADATA]: ['@HttpCode()', 'response'],
  [HEADERS_METADATA]: ['@Header()', 'response'],
  [REDIRECT_METADATA]: ['@Redirect()', 'response'],
  [RENDER_METADATA]: ['@Render()', 'response'],
  [SSE_METADATA]: ['@Sse()', 'response'],
  [VERSION_METADATA]: ['a version', 'route'],
  [HOST_METADATA]: ['a host', 'route'],
} as const;

/** Throws if the class or method of an operation has a decorator that only Nest's dispatch runs. */
export const rejectEnhancersOf = (controller: Type<object>, name: string): void => {
  const method = (controller.prototype as Readonly<Record<string, object>>)[name] ?? controller;
  rejectMetadata(controller, controller.name);
  rejectMetadata(method, `${controller.name}.${name}`);
  rejectScope(controller);
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined;
  for (const key of Object.keys(parameters ?? {})) reject(`${controller.name}.${name}`, parameterDecorator(key), 'parameter');
};

const rejectMetadata = (target: object, owner: string): void => {
  for (const [key, kind] of Object.entries(ENHANCERS)) {
    const [first] = (Reflect.getMetadata(key, target) ?? []) as readonly unknown[];
    if (first !== undefined) reject(owner, `the ${kind} ${nameOf(first)}`, kind);
  }
  for (const [key, [what, instead]] of Object.entries(OTHER_DECORATORS))
    if (Reflect.getMetadata(key, target) !== undefined) reject(owner, what, instead);
};

/** Rejects the scopes REQUEST and TRANSIENT, because one instance of a controller handles all requests. */
const rejectScope = (controller: Type<object>): void => {
  const options = Reflect.getMetadata(SCOPE_OPTIONS_METADATA, controller) as { readonly scope?: number } | undefined;
  if (options?.scope) reject(controller.name, 'a scope', 'parameter');
};

/**
 * Returns the name of a parameter decorator. Nest's metadata key begins with the number of the decorator. The
 * key of a custom decorator has no number.
 */
const parameterDecorator = (key: string): string => {
  const name = RouteParamtypes[Number(key.split(':')[0])];
  if (name === undefined) return 'a custom parameter decorator';
  const words = name
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `the parameter decorator @${words.join('')}()`;
};

/** Returns the name of an enhancer, which is a class, an instance, or Nest's wrapper of an instance. */
const nameOf = (enhancer: unknown): string => {
  if (typeof enhancer === 'function') return enhancer.name;
  const { metatype, constructor } = enhancer as {
    readonly metatype?: { readonly name?: string };
    readonly constructor: { readonly name: string };
  };
  return metatype?.name ?? constructor.name;
};

/**
 * Throws if the Nest application has an enhancer for all controllers. Only the problem filter is permitted. Also throws for
 * versions of routes, a global prefix, hooks before requests, and middleware.
 */
export const rejectSharedEnhancers = (app: NestFastifyApplication): void => {
  // Nest's private configuration contains enhancers from providers and from calls such as useGlobalGuards.
  const { config } = app as unknown as { readonly config: ApplicationConfig };
  const shared = {
    guard: [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()],
    pipe: [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()],
    interceptor: [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()],
    filter: [...config.getGlobalFilters(), ...config.getGlobalRequestFilters()].filter((filter) => !(filter instanceof ProblemFilter)),
  } as const;
  for (const [kind, enhancers] of Object.entries(shared) as [keyof typeof shared, readonly unknown[]][])
    for (const enhancer of enhancers) reject('The Nest application', `the ${kind} ${nameOf(enhancer)} for all controllers`, kind);
  if (config.getVersioning()) reject('The Nest application', 'versions of routes', 'route');
  if (config.getGlobalPrefix() !== '') reject('The Nest application', 'a global prefix', 'route');
  if (config.getGlobalPreRequestHooks().length > 0) reject('The Nest application', 'a hook before requests', 'middleware');
  for (const { instance, metatype } of app.get(ModulesContainer).values())
    if ('configure' in instance) reject('The Nest application', `middleware of ${metatype.name}`, 'middleware');
};

/** Throws, because operations bypass Nest's middleware. */
export const rejectMiddleware = (): never => reject('The Nest application', 'middleware', 'middleware');
