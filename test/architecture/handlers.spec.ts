import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Module, type FactoryProvider, type INestApplicationContext, type InjectionToken } from '@nestjs/common';
import { Command, CommandBus, CommandHandlerNotFoundException, Query, QueryBus, QueryHandlerNotFoundException } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { ApplicationModule } from '../../libs/application/application.module.js';
import { CommandPorts } from '../../libs/application/command-ports.js';

const APPLICATION = fileURLToPath(new URL('../../libs/application', import.meta.url));

type Request = Command<unknown> | Query<unknown>;
type RequestClass = { readonly name: string; readonly prototype: Request };

const isRequest = (exported: unknown): exported is RequestClass =>
  typeof exported === 'function' && (exported.prototype instanceof Command || exported.prototype instanceof Query);

const requests = async (): Promise<readonly RequestClass[]> => {
  const files = readdirSync(APPLICATION, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.spec)\.ts$/.test(file));
  const modules = await Promise.all(files.map((file) => import(join(APPLICATION, file)) as Promise<Readonly<Record<string, unknown>>>));
  const classes = [...new Set(modules.flatMap((exported) => Object.values(exported).filter(isRequest)))];
  return classes.filter((base) => !classes.some(({ prototype }) => Object.getPrototypeOf(prototype) === base.prototype));
};

/** What Nest injects into a class: the types of its parameters, unless `@Inject` names another token. */
const tokensOf = (provider: object): readonly InjectionToken[] => {
  const tokens = [...((Reflect.getMetadata('design:paramtypes', provider) ?? []) as InjectionToken[])];
  for (const { index, param } of (Reflect.getMetadata('self:paramtypes', provider) ?? []) as { index: number; param: InjectionToken }[])
    tokens[index] = param;
  return tokens;
};

/** The tokens that CqrsModule provides, and those that the application provides itself. */
const PROVIDED: readonly InjectionToken[] = [CommandPorts, CommandBus, QueryBus];

/** Returns the ports that the handlers inject: Nest keeps them as metadata of each class. */
const injectedPorts = (): readonly InjectionToken[] => {
  const providers = Reflect.getMetadata('providers', ApplicationModule) as readonly (object | FactoryProvider)[];
  const injected = providers.flatMap((provider) =>
    'inject' in provider ? (provider.inject as readonly InjectionToken[]) : tokensOf(provider),
  );
  return [...new Set(injected)].filter((port) => !PROVIDED.includes(port));
};

/** Provides ports without methods. A handler may throw when it calls them. A missing handler causes an error of another class. */
@Global()
@Module({ providers: injectedPorts().map((provide) => ({ provide, useValue: {} })), exports: [...injectedPorts()] })
class NoPortsModule {}

@Module({ imports: [NoPortsModule, ApplicationModule] })
class HandlersModule {}

describe('the handlers of the application', () => {
  let app: INestApplicationContext;
  beforeAll(async () => {
    app = await NestFactory.createApplicationContext(HandlersModule, { logger: false });
  });
  afterAll(() => app.close());

  const isHandled = async (request: Request): Promise<boolean> => {
    try {
      await (request instanceof Command ? app.get(CommandBus).execute(request) : app.get(QueryBus).execute(request));
    } catch (fault) {
      return !(fault instanceof CommandHandlerNotFoundException || fault instanceof QueryHandlerNotFoundException);
    }
    return true;
  };

  it('include one for every command and query', async () => {
    const classes = await requests();
    expect(classes.length).toBeGreaterThan(25);
    const missing: string[] = [];
    for (const { name, prototype } of classes) if (!(await isHandled(Object.create(prototype) as Request))) missing.push(name);
    expect(missing).toEqual([]);
  });

  it('are reported as missing for a query without a handler', async () => {
    class Unhandled extends Query<null> {}
    expect(await isHandled(new Unhandled())).toBe(false);
  });
});
