import { createToken, inSeconds, StepFault, underLoad, waitForProcesses, type Drill, type Seen } from './drill.js';
import { commandsOf, PRINTED_ADDRESS } from '../../servers/documents.js';
import { PROCESSES } from './project.js';

/**
 * Runs the commands of the README on the first API. In production, orders need a token, so a shell function `curl` adds the
 * token to each request without one.
 */
export const walk = async ({ project, table }: Drill): Promise<Seen> => {
  const token = await createToken(project, 'write:pets read:pets write:orders');
  const commands = commandsOf('README.md', 'Walk through it').map((block) =>
    block.replace(`STORE=${PRINTED_ADDRESS}`, 'STORE=http://127.0.0.1:13000').replace(/^TOKEN=.*$/m, `TOKEN=${token}`),
  );
  const withToken = `curl() { case "$*" in *Authorization:*) command curl "$@" ;; *) command curl -H "Authorization: Bearer $TOKEN" "$@" ;; esac; }`;
  const last = commands.pop() ?? '';
  // The payment is processed asynchronously, so the last command is repeated until the order is approved.
  const approved = `for n in $(seq 100); do S=$(${last}); [ "$S" != '"approved"' ] || break; sleep 0.1; done; echo "$S"`;
  const script = ['set -e', withToken, ...commands, approved].join('\n');
  const { code, stdout, stderr } = await project.inside('bash', '-c', script);
  table.log(`the walk printed ${stdout.replaceAll('\n', ' ')}`);
  const wanted = ['"Biscuit"', '"status": 409', '"processing"', '"approved"'];
  const missing = wanted.filter((text) => !stdout.includes(text));
  if (code !== 0 || missing.length > 0)
    throw new Error(`the walk exited with ${code} and did not print ${missing.join(', ')}: ${stdout}${stderr}`);
  return { notes: 'pet listed, found, ordered, second order 409, paid, approved' };
};

/** Builds a new image. Under load, replaces each process, one after another, by a process of this image. */
export const replaceProcesses = async (drill: Drill): Promise<Seen> => {
  const { project, observer, table } = drill;
  await project.build('next');
  return underLoad(drill, async () => {
    for (const name of PROCESSES) {
      await project.compose('up', '--detach', '--no-deps', '--no-build', '--force-recreate', '--wait', name);
      table.log(`${name} is replaced`);
      await observer.waitForAcknowledged(40);
    }
    return `${PROCESSES.join(', ')} by another image in this order`;
  });
};

/** The exit code of a process, and its milliseconds from the signal to the exit. */
type End = { readonly name: string; readonly code: number; readonly milliseconds: number };

const MAX_STOP = 1_000;

/** A stopping worker waits for its running charges (contract 26.4). A charge of a slow card takes 3 s, longer than MAX_STOP. */
const NO_SLOW_CARDS = { slowCards: false };

/** Under load, stops each process by SIGTERM, one after another, and starts it again. */
export const stopProcesses = async (drill: Drill): Promise<Seen> => {
  const { project } = drill;
  const ends: End[] = [];
  const seen = await underLoad(
    drill,
    async () => {
      for (const name of PROCESSES) {
        ends.push(await stopOne(drill, name));
        await project.compose('up', '--detach', '--no-deps', '--no-build', '--wait', name);
      }
      return ends.map((end) => `${end.name}: ${inSeconds(end.milliseconds)}, code ${end.code}`).join('; ');
    },
    NO_SLOW_CARDS,
  );
  if (ends.some(({ code, milliseconds }) => code !== 0 || milliseconds > MAX_STOP))
    throw new StepFault(`not all ended with code 0 within ${inSeconds(MAX_STOP)}: ${seen.notes}`, seen);
  return seen;
};

const stopOne = async ({ project }: Drill, name: (typeof PROCESSES)[number]): Promise<End> => {
  const container = project.container(name);
  // One shell reads the clock and stops the container, so that the measured time does not include the start of a shell.
  const [sent = '', finished = '', code = ''] = (
    await project.inside(
      'sh',
      '-c',
      `date +%s%N; docker stop --time 30 ${container} >/dev/null; docker inspect --format '{{.State.FinishedAt}}' ${container}; docker inspect --format '{{.State.ExitCode}}' ${container}`,
    )
  ).stdout.split('\n');
  return { name, code: Number(code), milliseconds: Date.parse(finished) - Number(BigInt(sent) / 1_000_000n) };
};

const inspect = (project: Drill['project'], container: string, format: string): Promise<string> =>
  project.docker('inspect', '--format', format, container);

const OTHER_USER = '23456:23456';

/** Runs an API as a user other than the user of the image, with a read-only root file system. */
export const runAsOtherUser = async ({ project, observer }: Drill): Promise<Seen> => {
  const name = `${project.name}-other-user`;
  const like = project.container('api-1');
  const [env, image] = [await inspect(project, like, '{{json .Config.Env}}'), await inspect(project, like, '{{.Config.Image}}')];
  const settings = (JSON.parse(env) as string[]).flatMap((setting) => ['--env', setting]);
  const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'];
  const mounts = ['--volume', `${project.deploy}/secrets/ca:/etc/petstore/ca:ro`, '--network', `${project.name}_servers`];
  await project.docker('run', '--detach', '--name', name, '--user', OTHER_USER, ...limits, ...mounts, ...settings, image, 'api');
  try {
    const ready = await observer.waitForOk(`http://${name}:3000/health/ready`);
    const uid = await project.docker('exec', name, 'id', '-u');
    const isReadOnly = await inspect(project, name, '{{.HostConfig.ReadonlyRootfs}}');
    if (`${uid}:${uid}` !== OTHER_USER || isReadOnly !== 'true') throw new Error(`runs as ${uid}, read-only root: ${isReadOnly}`);
    return { notes: `user ${uid}, read-only root, no capabilities; ready after ${inSeconds(ready)}` };
  } finally {
    await project.docker('rm', '--force', name);
  }
};

/** Reads the versions from the running servers, and the size of the image. */
export const readVersions = async ({ project, observer }: Drill): Promise<Seen> => {
  const { mongod = '' } = await observer.versions();
  const kafka = await project.docker('exec', project.container('kafka-1'), '/opt/kafka/bin/kafka-run-class.sh', 'kafka.Kafka', '--version');
  const info = await project.docker(
    ...[
      'exec',
      project.container('eventstoredb'),
      'curl',
      '--silent',
      '--cacert',
      '/certificates/ca/ca.crt',
      'https://127.0.0.1:2113/info',
    ],
  );
  const { esVersion } = JSON.parse(info) as { esVersion: string };
  const image = await inspect(project, project.container('api-1'), '{{.Image}}');
  const size = Number(await project.docker('image', 'inspect', '--format', '{{.Size}}', image));
  await waitForProcesses({ observer });
  const notes = [
    `mongod ${mongod} (compose.yaml names ${await inspect(project, project.container('mongodb-1'), '{{.Config.Image}}')})`,
    `Kafka ${kafka.split('\n').at(-1) ?? ''}`,
    `EventStoreDB: ${esVersion}`,
    `image ${Math.round(size / 1_048_576)} MiB`,
  ];
  return { notes: notes.join('; ') };
};
