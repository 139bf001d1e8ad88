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

/** What to do instead of each kind. */
const INSTEAD = {
  guard: 'Say who may call an operation in the access of its record.',
  pipe: 'State the rule on the DTO, with apps/api/http/validation/rules.ts.',
  interceptor: 'Wrap the handlers in prepareRoutes of apps/api/api.ts.',
  filter: 'Throw a Problem, or map the failure in apps/api/http/problems/failures.ts.',
  parameter: 'Take the request as the only argument: request.call has ids, query and body.',
  answer: 'Set it on the reply, in the handler.',
  route: 'Change the record of the operation.',
  middleware: 'Add a Fastify hook in prepareServer of apps/api/api.ts.',
} as const;

const refuse = (owner: string, what: string, instead: keyof typeof INSTEAD): never => {
  throw new Error(`${owner} has ${what}, but operations are called without Nest's dispatch: it would never run. ${INSTEAD[instead]}`);
};

const ENHANCERS = {
  [GUARDS_METADATA]: 'guard',
  [PIPES_METADATA]: 'pipe',
  [INTERCEPTORS_METADATA]: 'interceptor',
  [EXCEPTION_FILTERS_METADATA]: 'filter',
} as const;

const OTHERS = {
  [HTTP_CODE_METADATA]: ['@HttpCode()', 'answer'],
  [HEADERS_METADATA]: ['@Header()', 'answer'],
  [REDIRECT_METADATA]: ['@Redirect()', 'answer'],
  [RENDER_METADATA]: ['@Render()', 'answer'],
  [SSE_METADATA]: ['@Sse()', 'answer'],
  [VERSION_METADATA]: ['a version', 'route'],
  [HOST_METADATA]: ['a host', 'route'],
} as const;

/** Throws, by name, when an operation's class or method asks for what only Nest's dispatch would give it. */
export const refuseEnhancersOf = (controller: Type<object>, name: string): void => {
  const method = (controller.prototype as Readonly<Record<string, object>>)[name] ?? controller;
  refuseMetadata(controller, controller.name);
  refuseMetadata(method, `${controller.name}.${name}`);
  refuseScope(controller);
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined;
  for (const key of Object.keys(parameters ?? {})) refuse(`${controller.name}.${name}`, parameterDecorator(key), 'parameter');
};

const refuseMetadata = (target: object, owner: string): void => {
  for (const [key, kind] of Object.entries(ENHANCERS)) {
    const [first] = (Reflect.getMetadata(key, target) ?? []) as readonly unknown[];
    if (first !== undefined) refuse(owner, `the ${kind} ${nameOf(first)}`, kind);
  }
  for (const [key, [what, instead]] of Object.entries(OTHERS))
    if (Reflect.getMetadata(key, target) !== undefined) refuse(owner, what, instead);
};

/** A controller is made once, before any request. */
const refuseScope = (controller: Type<object>): void => {
  const options = Reflect.getMetadata(SCOPE_OPTIONS_METADATA, controller) as { readonly scope?: number } | undefined;
  if (options?.scope) refuse(controller.name, 'a scope', 'parameter');
};

/** Nest's key begins with the number of its decorator, or with a random text for one that is not Nest's. */
const parameterDecorator = (key: string): string => {
  const name = RouteParamtypes[Number(key.split(':')[0])];
  if (name === undefined) return 'a parameter decorator of its own';
  const words = name
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `the parameter decorator @${words.join('')}()`;
};

/** An enhancer is a class, an instance of one, or what Nest wraps it in. */
const nameOf = (enhancer: unknown): string => {
  if (typeof enhancer === 'function') return enhancer.name;
  const { metatype, constructor } = enhancer as {
    readonly metatype?: { readonly name?: string };
    readonly constructor: { readonly name: string };
  };
  return metatype?.name ?? constructor.name;
};

/** Throws, by name, when the application asks for what its operations would pass by; its own problem filter is no such thing. */
export const refuseSharedEnhancers = (app: NestFastifyApplication): void => {
  // Nest shows it to nobody, but keeps in it all that was registered, by providers and by calls alike.
  const { config } = app as unknown as { readonly config: ApplicationConfig };
  const shared = {
    guard: [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()],
    pipe: [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()],
    interceptor: [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()],
    filter: [...config.getGlobalFilters(), ...config.getGlobalRequestFilters()].filter((filter) => !(filter instanceof ProblemFilter)),
  } as const;
  for (const [kind, enhancers] of Object.entries(shared) as [keyof typeof shared, readonly unknown[]][])
    for (const enhancer of enhancers) refuse('The application', `the ${kind} ${nameOf(enhancer)} for all controllers`, kind);
  if (config.getVersioning()) refuse('The application', 'versions of routes', 'route');
  if (config.getGlobalPrefix() !== '') refuse('The application', 'a global prefix', 'route');
  if (config.getGlobalPreRequestHooks().length > 0) refuse('The application', 'a hook before requests', 'middleware');
  for (const { instance, metatype } of app.get(ModulesContainer).values())
    if ('configure' in instance) refuse('The application', `middleware of ${metatype.name}`, 'middleware');
};

/** Throws: there is no room for middleware that Nest would run. */
export const refuseMiddleware = (): never => refuse('The application', 'middleware', 'middleware');
