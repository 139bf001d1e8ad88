import { checkpointOf } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { projections } from '../../../../libs/projections/projections.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { reachableHost } from '../../client/check-health.js';
import { abortAfter, readText, sendRequest } from '../../client/send-request.js';
import { connectClient, type ServiceOptions } from '../../client/service-client.js';
import { clock } from '../../composition/clock.js';
import { inspectTopics } from '../../composition/distributed/messaging.js';
import { inspectDatabase, openEvents, type DistributedSettings } from '../../composition/distributed/open-servers.js';
import { formatError } from '../../errors/error-text.js';
import { withTimeout } from '../../running/with-timeout.js';
import { createLog } from '../../logging/log.js';
import { readCertificateEnds, type TlsServer } from '../../composition/inspect-machine.js';
import { checkCertificate, checkClock, checkPorts, checkSigningKey } from './check-machine.js';
import { checkReady, checkService, type ReadyDetails } from './check-service.js';
import { found, type Checkup, type Finding } from './finding.js';

type Caller = { readonly subject: string; readonly scope: string };

/** Milliseconds within which a server must answer. */
const SERVER_TIMEOUT = 15_000;
/** Milliseconds within which a process of this machine must answer. */
const PROCESS_TIMEOUT = 3_000;

/** Checks the servers of the distributed profile, the processes of this machine, and the service at `--url` or on the servers. */
export const checkServers = async (settings: DistributedSettings & Settings, options: ServiceOptions, caller: Caller): Promise<Checkup> => {
  const findings: Finding[] = [...checkSigningKey(settings), ...(await checkCertificates(settings))];
  const hasLog = await isUp(findings, 'EventStoreDB', 'EVENTSTOREDB_URL', async () => {
    const events = await openEvents(settings, createLog('silent'));
    try {
      await events.ready();
    } finally {
      await events.close();
    }
  });
  const names = projections.map(({ collection }) => checkpointOf(collection));
  let database: Awaited<ReturnType<typeof inspectDatabase>> | undefined;
  await isUp(findings, 'MongoDB', 'MONGODB_URL', async () => {
    database = await inspectDatabase(settings, names);
    findings.push(...checkClock(database.time, 'the clock of MongoDB', clock.now(), 'is now'));
  });
  const hasStore = database?.hasStore ?? false;
  // To open the database creates what is missing. Nothing is, once a worker of this release has run.
  const isPrepared = hasStore && database?.checkpoints.length === names.length;
  findings.push(...(await checkTopics(settings, findings, isPrepared)), ...(await checkProcesses(settings)));
  const checked = ['settings', 'certificates', 'EventStoreDB', 'MongoDB', 'Kafka', 'topics', 'clock', 'ports'];
  if (options.url !== undefined) {
    const ofService = await checkService(() => connectClient(settings, options, caller));
    return { checked: [...checked, `the service at ${options.url}`], findings: [...findings, ...ofService] };
  }
  if (!hasLog || !database) return { checked, findings, note: 'The store itself was not checked: its servers do not answer.' };
  if (!hasStore) return { checked, findings, note: 'There is no store on these servers yet.' };
  if (!isPrepared) return { checked, findings, note: 'The store itself was not checked: no worker of this release has run on it yet.' };
  return {
    checked: [...checked, 'history', 'read models', 'parked', 'stuck'],
    findings: [...findings, ...(await checkStoreOnServers(settings, caller))],
  };
};

/** Asks a service in this process. A store that it may not open is a finding. */
const checkStoreOnServers = async (settings: Settings, caller: Caller): Promise<readonly Finding[]> => {
  // Imported only when needed, because the web framework takes long to load.
  const { withApiInProcess } = await import('../../in-process/api-in-process.js');
  try {
    return await withApiInProcess(settings, caller, (client) => checkService(() => client));
  } catch (error) {
    const text = formatError(error, []);
    if (text === null) throw error;
    const isOfKeys = error instanceof Error && (error.cause as Error | undefined)?.name === 'WrongWrappingKey';
    return [
      found(isOfKeys ? 'keys-unusable' : 'store-refused', text, isOfKeys ? 'set the KEY_ENCRYPTION_KEY of this store' : 'see the text'),
    ];
  }
};

/** Runs a check of a server, and adds a finding if it does not answer. */
const isUp = async (findings: Finding[], name: string, setting: string, check: () => Promise<void>): Promise<boolean> => {
  try {
    await withTimeout(check(), clock, SERVER_TIMEOUT);
    return true;
  } catch (error) {
    findings.push(found('server-away', `${name} does not answer: ${reasonOf(error)}`, `start ${name}, or correct ${setting}`));
    return false;
  }
};

/** `isPrepared`: the topics exist, and the database says over how many partitions keys are spread. */
const checkTopics = async (settings: DistributedSettings, findings: Finding[], isPrepared: boolean): Promise<readonly Finding[]> => {
  let differences: Awaited<ReturnType<typeof inspectTopics>> = [];
  await isUp(findings, 'Kafka', 'KAFKA_BROKERS', async () => {
    differences = await inspectTopics(settings);
  });
  // Without a store, no process has created the topics yet.
  if (!isPrepared) return [];
  return differences.map(({ kind, text }) =>
    found(kind === 'contradiction' ? 'topic-differs' : 'topic-noticed', text, 'run the command in the text'),
  );
};

/** Checks the certificates of the servers that are reached by TLS. */
const checkCertificates = async ({ servers }: DistributedSettings): Promise<readonly Finding[]> => {
  const { eventStoreUrl, mongoUrl, kafkaBrokers, kafkaTls } = servers;
  const named = (name: string, url: string, port: number): readonly TlsServer[] => hostsIn(url, port).map((host) => ({ name, ...host }));
  const reached = [
    ...(/[?&]tls=false/i.test(eventStoreUrl) ? [] : named('EventStoreDB', eventStoreUrl, 2113)),
    ...(/[?&](tls|ssl)=true/i.test(mongoUrl) ? named('MongoDB', mongoUrl, 27_017) : []),
    ...(kafkaTls ? kafkaBrokers.flatMap((broker) => named('Kafka', `kafka://${broker}`, 9092)) : []),
  ];
  return (await readCertificateEnds(reached)).flatMap((server) => checkCertificate(server, clock.now()));
};

/** Returns the hosts of a URL, which may name several, separated by commas. */
export const hostsIn = (url: string, defaultPort: number): readonly { readonly host: string; readonly port: number }[] => {
  const [, hosts = ''] = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/?]+)/i.exec(url) ?? [];
  return hosts.split(',').flatMap((text) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text.trim()) ?? [];
    const host = bracketed ?? plain;
    return host === undefined ? [] : [{ host, port: Number(port ?? defaultPort) }];
  });
};

/** Asks the worker of this machine how it is. Finds other programs on the ports of the settings. */
const checkProcesses = async ({ host, port, workerPort }: Settings): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const { setting, number } of [
    { setting: 'PORT', number: port },
    { setting: 'WORKER_PORT', number: workerPort },
  ] as const) {
    const answer = number === 0 ? null : await readyAt(`http://${reachableHost(host)}:${number}/health/ready`);
    if (answer === 'no answer')
      findings.push(
        found(
          'service-away',
          `the process at ${setting} ${number} does not answer within ${PROCESS_TIMEOUT / 1_000} s`,
          'read its log, then restart it: another process has taken its work over',
        ),
      );
    else if (answer === 'another program') findings.push(...checkPorts([{ setting, host, port: number, code: 'EADDRINUSE' }]));
    else if (answer && setting === 'WORKER_PORT') findings.push(...checkReady(answer, 'the worker of this machine'));
  }
  return findings;
};

/** Returns what a process says of itself. Null: no process listens there. */
const readyAt = async (url: string): Promise<ReadyDetails | 'another program' | 'no answer' | null> => {
  const signal = abortAfter(clock, PROCESS_TIMEOUT);
  try {
    const text = await readText(await sendRequest(new URL(url), 'directly', { signal }));
    const answer = JSON.parse(text) as ReadyDetails & { readonly status?: string };
    return answer.status === undefined ? 'another program' : answer;
  } catch (error) {
    if (signal.aborted) return 'no answer';
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? null : 'another program';
  }
};
