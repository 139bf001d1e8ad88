import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { CreatePet } from '../../libs/application/pets/pet.requests.js';
import type { Settings } from '../../libs/application/settings.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';
import { nestLogger } from '../api/http/logging.js';
import { CommandError } from './command-error.js';
import { openEmbeddedStore } from './embedded.module.js';
import { createLog } from './log.js';
import { progressBar } from './progress.js';
import { runningAt } from './running-at.js';
import { addOverHttp, seedPets, type AddPet } from './seed.js';
import { StoreModule } from './store.module.js';
import { makeToken } from './token.command.js';

/** What `petstore seed` is asked for. */
export type SeedOptions = {
  readonly pets: number;
  readonly seed: number;
  readonly tenant?: string;
  readonly url?: string;
  readonly token?: string;
};

/** `ops` is exempt from the rate limit. */
const SEEDER = { scope: 'write:pets ops', subject: 'seed', expiresIn: 3600 };

/** Fills a running store over HTTP, else the folder directly; both through the same command. */
export const seedCommand = async (settings: Settings, options: SeedOptions): Promise<void> => {
  const url = options.url ?? (await runningAt(settings));
  const progress = progressBar(options.pets, 'pets');
  if (url === null) return onFolder(settings, options, (add) => seedPets(options.pets, options.seed, add, progress));
  const token =
    options.token ?? (await makeToken(settings, { ...SEEDER, ...(options.tenant !== undefined && { tenant: options.tenant }) }));
  await seedPets(options.pets, options.seed, addOverHttp(url, token, options.tenant), progress);
};

const onFolder = async (settings: Settings, { tenant = SHARED_POOL }: SeedOptions, work: (add: AddPet) => Promise<void>): Promise<void> => {
  const log = createLog(settings.logLevel);
  const store = await openEmbeddedStore({ directory: settings.dataDir, log });
  let app: INestApplicationContext | undefined;
  try {
    app = await NestFactory.createApplicationContext(StoreModule.on(store), { logger: nestLogger(log) });
    const bus = app.get(CommandBus);
    const request = { tenant, actor: SEEDER.subject, requestId: 'seed' };
    await work(async ({ details, status }) => {
      const outcome = await bus.execute(new CreatePet(details, status, request));
      if (isRejection(outcome)) throw new CommandError(`a pet was refused: ${outcome.rejected}`);
    });
  } finally {
    await app?.close();
    await store.close();
  }
};
