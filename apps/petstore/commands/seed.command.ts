import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { CreatePet, UploadPetPhoto } from '../../../libs/application/pets/pet.commands.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import { nestLogger } from '../../api/http/nest/logging.js';
import { connectClient, type ServiceOptions } from '../client/service-client.js';
import { CommandError } from '../errors/command-error.js';
import { hasStore } from '../composition/embedded/folder.js';
import { openEmbeddedStore } from '../composition/embedded/embedded.js';
import { createLog } from '../logging/log.js';
import { clock } from '../composition/clock.js';
import { drawPicture } from '../composition/images/draw-picture.js';
import { showProgress } from '../terminal/progress.js';
import { findServiceUrl } from '../running/find-service-url.js';
import { seedPets, storeOverHttp, type SeededStore } from '../seeding/seed.js';
import { StoreModule } from '../composition/store.module.js';

/** The options of `petstore seed`. `pets` and `pictures` are numbers. The same `seed` adds the same pets and pictures. */
export type SeedOptions = ServiceOptions & { readonly pets: number; readonly pictures: number; readonly seed: number };

/** The subject and scopes of the command's token. The scope ops exempts its requests from the rate limit (contract 11.2). */
const SEEDER = { subject: 'seed', scope: 'write:pets ops' };

/** Adds sample pets with pictures. Sends them to the running service over HTTP, or writes to the store in DATA_DIR if no service runs. */
export const seedCommand = async (settings: Settings, options: SeedOptions): Promise<void> => {
  const isRunning = options.url !== undefined || (await findServiceUrl(settings)) !== null;
  const client = isRunning ? await connectClient(settings, options, SEEDER) : null;
  if (client && options.url === undefined)
    process.stderr.write(`Adding pets to the store in ${resolve(settings.dataDir)}, through the service at ${client.url}\n`);
  const progress = (total: number, unit: string) => showProgress(clock, total, unit);
  const fill = (store: SeededStore) => seedPets(store, { ...options, draw: drawPicture, progress });
  await (client ? fill(storeOverHttp(client)) : seedFolder(settings, options, fill));
};

const seedFolder = async (
  settings: Settings,
  { tenant = SHARED_POOL }: SeedOptions,
  work: (store: SeededStore) => Promise<void>,
): Promise<void> => {
  if (settings.dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, so the pets would be lost: set DATA_DIR to a folder, or pass --url of a running service');
  const isNew = !hasStore(settings.dataDir);
  const log = createLog(settings.logLevel);
  const store = await openEmbeddedStore({ directory: settings.dataDir, log });
  const folder = resolve(settings.dataDir);
  process.stderr.write(isNew ? `Created a new store in ${folder}, and adding pets to it\n` : `Adding pets to the store in ${folder}\n`);
  let app: INestApplicationContext | undefined;
  try {
    app = await NestFactory.createApplicationContext(StoreModule.on(store), { logger: nestLogger(log) });
    const bus = app.get(CommandBus);
    const request = { tenant, actor: SEEDER.subject, requestId: 'seed' };
    await work({
      async addPet({ details, status }) {
        const outcome = await bus.execute(new CreatePet(details, status, request));
        if (isRejection(outcome)) throw new CommandError(`a pet was rejected: ${outcome.rejected}`);
        return outcome.id;
      },
      async addPicture(petId, file) {
        const outcome = await bus.execute(new UploadPetPhoto(petId, { file }, request));
        if (isRejection(outcome)) throw new CommandError(`a picture was rejected: ${outcome.rejected}`);
      },
    });
  } finally {
    await app?.close();
    await store.close();
  }
};
