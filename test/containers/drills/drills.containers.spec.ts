import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { ROOT } from '../../servers/program.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { createToken, faultsOf, inSeconds, StepFault, underLoad, type Drill, type Seen } from './drill.js';
import { startObserver, type Observer } from './observer-container.js';
import { cutNetwork, loseBroker, stepDownPrimary } from './outage-steps.js';
import { readVersions, replaceProcesses, runAsOtherUser, stopProcesses, walk } from './process-steps.js';
import { findEngine, openProject, type Project } from './project.js';
import { loseEverything } from './restore-step.js';
import { openTable } from './table.js';

const MINUTE = 60_000;
const SCOPES = 'read:pets write:pets write:orders write:webhooks ops';

const nodeImage = (): string =>
  `node:${/^ARG NODE_VERSION=(\S+)$/m.exec(readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8'))?.[1]}-bookworm-slim`;

const NAME = 'the service of deploy/compose.yaml';

/** Proves contract 24.1, contract 24.5, contract 24.7, contract 24.8 and contract 26.4. */
const defineDrills = (): void =>
  describe(NAME, () => {
    const table = openTable();
    let project: Project | undefined;
    let observer: Observer | undefined;
    let drill: Drill | undefined;

    beforeAll(async () => void (project = await openProject()), 15 * MINUTE);
    afterAll(async () => {
      table.print();
      await observer?.close();
      await project?.close();
    }, 5 * MINUTE);

    /** Defines a test that runs a step and adds a row to the table, even if the step fails. */
    const step = (name: string, does: (drill: Drill) => Promise<Seen>, within: number): void =>
      it(
        name,
        async () => {
          if (!drill) throw new Error('the service was not started');
          await addRow(name, () => does(drill as Drill));
        },
        within,
      );

    const addRow = async (name: string, does: () => Promise<Seen>): Promise<void> => {
      table.log(`begins: ${name}`);
      const begun = performance.now();
      const seconds = (): number => (performance.now() - begun) / 1_000;
      try {
        const seen = await does();
        const faults = seen.account ? faultsOf(seen.account) : [];
        if (faults.length > 0) throw new StepFault(faults.join('\n'), seen);
        table.add({ step: name, passed: true, seconds: seconds(), ...seen });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        table.log(message);
        table.add({
          step: name,
          passed: false,
          seconds: seconds(),
          notes: message.slice(0, 500),
          ...(error instanceof StepFault && { account: error.seen.account }),
        });
        throw error;
      }
    };

    it(
      'becomes healthy on empty volumes',
      () =>
        addRow('becomes healthy on empty volumes', async () => {
          if (!project) throw new Error('there is no engine');
          await project.build('first');
          const begun = performance.now();
          await project.compose('up', '--detach', '--no-build', '--pull', 'never', '--wait');
          const healthy = performance.now() - begun;
          observer = await startObserver(project, nodeImage());
          const token = await createToken(project, SCOPES);
          await observer.connect({ token });
          drill = { project, observer, table, token };
          return { notes: `all services healthy after ${inSeconds(healthy)}` };
        }),
      20 * MINUTE,
    );

    step('reports the versions of its servers', readVersions, 2 * MINUTE);
    step('runs the commands of the README', walk, 2 * MINUTE);
    step('serves a load without failures', (given) => underLoad(given, async () => 'nothing fails'), 5 * MINUTE);
    step('serves a load while one of three brokers loses its data', loseBroker, 10 * MINUTE);
    step('serves a load while the MongoDB primary steps down 20 times', stepDownPrimary, 15 * MINUTE);
    step('serves a load while an API and a worker are cut off from the servers', cutNetwork, 8 * MINUTE);
    step('serves a load while every process is replaced', replaceProcesses, 12 * MINUTE);
    step('stops each process gracefully on SIGTERM', stopProcesses, 8 * MINUTE);
    step('runs as another user on a read-only root file system', runAsOtherUser, 3 * MINUTE);
    step('is restored from a backup after the loss of every volume', loseEverything, 15 * MINUTE);
    step('serves a load after the restore', (given) => underLoad(given, async () => 'nothing fails'), 8 * MINUTE);
  });

describeIfAvailable(NAME, await findEngine(), defineDrills);
