import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { prepareDeliveries } from '../../../libs/deliveries/collections.js';
import { createProjector } from '../../../libs/runtime/projecting/projector.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { shareTail } from '../../../libs/runtime/following/shared-tail.js';
import { performOn } from '../../../libs/application/perform.js';
import { projections } from '../../../libs/projections/projections.js';
import { nestLogger } from '../../api/http/nest/logging.js';
import { createPublicAddress } from '../../api/http/public-address.js';
import { serveHealth } from '../../worker/health.js';
import { ROLES, type Role } from '../../worker/role-names.js';
import { startRoles, type RunningRoles } from '../../worker/roles.js';
import { CommandError } from '../refusals/command-error.js';
import { distributedSettings, openDistributedStore } from '../composition/distributed.js';
import { inTime } from '../running/in-time.js';
import { lagOf } from '../composition/lag.js';
import { createLog, noticeTo } from '../logging/log.js';
import { onceASecond } from '../terminal/once-a-second.js';
import { openSigning, retryingBy } from '../composition/outgoing.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { closeWithin } from '../running/stop-wait.js';
import { StoreModule } from '../composition/store.module.js';
import { refusedPort } from '../refusals/taken-port.js';

/** Reads `projections,relay`; refuses what is no role. */
export const rolesFrom = (text: string): ReadonlySet<Role> => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (unknown.length > 0) throw new CommandError(`--roles: ${unknown.join(', ')} is no role; there are ${ROLES.join(', ')}`);
  return new Set(names as Role[]);
};

/** Works in the background, one of several that may, until SIGINT or SIGTERM. */
export const workerCommand = async (given: Settings, roles: ReadonlySet<Role>): Promise<void> => {
  const settings = distributedSettings(given);
  const log = createLog(settings.logLevel);
  const opened = await openDistributedStore(settings, log);
  const { mongo, documents, codec, clock, holder } = opened;
  const store = shareTail(opened.store);
  const messages = opened.openMessages();
  const app = await NestFactory.createApplicationContext(StoreModule.on({ ...opened, store, heard: store.heard }), {
    logger: nestLogger(log),
  });
  const publicAddress = createPublicAddress(settings);
  await prepareDeliveries(documents);
  const head = (): Promise<number> => opened.store.lastPosition();
  const askServers = onceASecond(clock, () => Promise.all([lagOf({ documents, projections, head, clock }), inTime(mongo.ping(), clock)]));
  let running: RunningRoles | null = null;
  const close = async (): Promise<void> => {
    await messages.close();
    await app.close();
    await opened.close();
  };
  const place = { host: settings.host, port: settings.workerPort };
  const state = async () => {
    if (!running) return null;
    const [behind] = await askServers();
    return { roles: [...roles], owns: Object.keys(running.positions()), history: opened.faults.state(), behind };
  };
  const signing = await openSigning(opened.keys);
  // Before anything is taken up: a port that is another's must not cost the other workers a lease. From here to the
  // handler of signals nothing is waited for: somebody who sees that it lives may tell it to stop.
  const health = await serveHealth({ ...place, state, refusal: () => running?.refusal() ?? null }).catch(async (error: unknown) => {
    await close();
    throw refusedPort(error, { ...place, setting: 'WORKER_PORT' });
  });
  const starting = startRoles(roles, {
    store,
    documents,
    building: mongo.building,
    leases: mongo.leases,
    messages,
    openPublisher: () => opened.openPublisher(),
    topicsNow: () => opened.topicsNow(),
    codec,
    gateway: opened.gateway,
    clock,
    perform: performOn(app.get(CommandBus)),
    work: opened.work,
    keys: opened.keys,
    egress: opened.egress,
    signing,
    retrying: retryingBy(settings),
    publicUrl: () => publicAddress.url,
    onDisabled: noticeTo(log),
    faults: opened.faults,
    projectors: projections.map((projection) => createProjector(projection)),
    holder,
    head,
    onCaughtUp: ({ collection }) => mongo.putInService(collection),
    onParked: (projection, { reason, ...where }) =>
      log.error({ projection, ...where, reason }, 'a projection cannot take an event; its stream waits'),
    orderHoldMilliseconds: settings.orderHoldMilliseconds,
    onError: (error) => log.warn({ err: error }, 'background work failed; it will be tried again'),
  });
  runUntilSignal(
    {
      async stop() {
        await closeWithin({ server: health.server, within: settings.stopWaitMilliseconds, clock, log }, () => health.stop());
        // Told to while it starts, which takes long without Kafka, it stops once it has.
        await (await starting).stop();
        await close();
      },
    },
    log,
  );
  running = await starting;
  log.info({ roles: [...roles], health: health.url, holder }, 'the worker is at work');
  process.stdout.write(`Petstore's worker is at work: ${[...roles].join(', ')}; its health is at ${health.url}/health/ready\n`);
};
