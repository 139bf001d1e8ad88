import type { StoreHealth } from '../../../api/ops/health/health.dto.js';
import type { ParkedList } from '../../../api/ops/parked/parked.dto.js';
import type { ProjectionStates } from '../../../api/ops/projections/projection.dto.js';
import type { StuckList } from '../../../api/ops/stuck/stuck.dto.js';
import { VERSION } from '../../../api/installed.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import { REMEDIES } from '../../../../libs/runtime/projecting/stream-faults.js';
import { ErrorResponse, type ServiceClient } from '../../client/service-client.js';
import { formatError } from '../../errors/error-text.js';
import { found, type Finding } from './finding.js';

/** Seconds of lag from which on a reader of the log counts as behind. */
export const MAX_LAG = 60;

type Ask = Pick<ServiceClient, 'request'>;

/** The state of one reader of messages in /health/ready. */
type ConsumerHealth = { readonly behind: number; readonly behindSeconds?: number; readonly parked: number };

/** What /health/ready says of an api or a worker. */
export type ReadyDetails = {
  readonly reason?: string;
  readonly writable?: boolean;
  /** The lags of read models are shown by /v1/ops/projections, too. */
  readonly behindSeconds?: Readonly<Record<string, number | null>>;
  /** Null while Kafka is away. */
  readonly consumers?: Readonly<Record<string, ConsumerHealth>> | null;
  readonly servers?: Readonly<Record<string, { readonly status: string; readonly since?: string; readonly waiting?: unknown }>>;
  readonly warnings?: readonly string[];
  /** Whether the keys of an outside issuer are known. */
  readonly issuer?: { readonly keys?: string };
};

/**
 * Asks a running service, or one in this process, what is wrong with it. What it does not answer is a finding, too, and hides nothing of
 * the rest.
 */
export const checkService = async (connect: () => Ask | Promise<Ask>): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  let isAnswering = true;
  const add = async (part: () => Promise<readonly Finding[]>): Promise<boolean> => {
    if (!isAnswering) return false;
    try {
      findings.push(...(await part()));
      return true;
    } catch (error) {
      isAnswering = error instanceof ErrorResponse;
      if (error instanceof ErrorResponse && error.status === 404) {
        findings.push(earlierRelease(error.operation));
        return false;
      }
      // An answer of another shape.
      const text = error instanceof TypeError ? 'the answers at this address are not those of this release' : formatError(error, []);
      if (text === null) throw error;
      findings.push(found('service-away', text, 'start the service, or correct --url and --token; see its log for a 5xx'));
      return false;
    }
  };
  let ask: Ask | undefined;
  if (!(await add(async () => ((ask = await connect()), [])))) return findings;
  const { request } = ask as Ask;
  const part = <T>(path: string, check: (answer: T) => readonly Finding[]) => add(async () => check((await request<T>('GET', path)).json));
  await add(async () => checkReady(await readReady({ request })));
  await part<StoreHealth>('/v1/ops/health', (health) => [...checkVersion(health), ...checkHistoryHealth(health)]);
  await part<ProjectionStates>('/v1/ops/projections', checkProjections);
  await part<ParkedList>('/v1/ops/parked?limit=1', checkParked);
  await part<StuckList>('/v1/ops/stuck', checkStuck);
  return findings;
};

/** Reads what /health/ready says of the store. */
const readReady = async ({ request }: Ask): Promise<ReadyDetails> => {
  try {
    const { json } = await request<{ readonly details?: { readonly store?: ReadyDetails } & Pick<ReadyDetails, 'issuer'> }>(
      'GET',
      '/health/ready',
    );
    const { store, issuer } = json.details ?? {};
    return { ...store, ...(issuer && { issuer }) };
  } catch (error) {
    if (!(error instanceof ErrorResponse) || error.status !== 503) throw error;
    const { error: failed = {} } = error.problem as {
      readonly error?: Readonly<Record<string, { readonly reason?: string; readonly message?: string }>>;
    };
    const reasons = Object.values(failed).map(({ reason, message }) => reason ?? message ?? 'a check failed');
    return { reason: reasons.join('; ') || 'it does not say why', writable: true };
  }
};

/** Returns what /health/ready of an api or of a worker shows. */
export const checkReady = (details: ReadyDetails, name = 'the service'): readonly Finding[] => {
  const { reason, writable, behindSeconds = {}, consumers, servers = {}, warnings = [], issuer } = details;
  return [
    ...(writable === false
      ? [
          found(
            'not-writable',
            `${name} rejects writes: ${reason ?? 'it does not say why'}`,
            'make room, or put the file or the server back; writes go on by themselves',
          ),
        ]
      : []),
    ...(reason !== undefined && writable !== false
      ? [found('service-away', `${name} is not ready: ${reason}`, 'remove the reason; it is ready by itself then')]
      : []),
    ...Object.entries(servers).flatMap(([server, { status, since }]) =>
      status === 'up'
        ? []
        : [
            found(
              'server-away',
              `${name} has not reached ${server}${since === undefined ? '' : ` since ${since}`}`,
              `start ${server}, or correct its address; the work goes on by itself`,
            ),
          ],
    ),
    ...((behindSeconds[RELAY] ?? 0) <= MAX_LAG
      ? []
      : [
          found(
            'consumer-behind',
            `the relay is ${Math.round(behindSeconds[RELAY] ?? 0)} seconds behind`,
            'see that a worker with the role relay runs, and Kafka',
          ),
        ]),
    ...Object.entries(consumers ?? {}).flatMap(([consumer, { behind, behindSeconds: seconds = 0 }]) =>
      seconds <= MAX_LAG
        ? []
        : [
            found(
              'consumer-behind',
              `the consumer ${consumer} is ${Math.round(seconds)} seconds and ${behind} messages behind`,
              'see that workers with the role consumers run; add some if it does not catch up',
            ),
          ],
    ),
    ...(issuer?.keys === 'none'
      ? [
          found(
            'issuer-away',
            'the keys of the token issuer have never been read, so its tokens are rejected',
            'correct OIDC_ISSUER, or start the issuer; the log names the reason',
          ),
        ]
      : []),
    ...(issuer?.keys === 'old'
      ? [found('issuer-keys-old', 'the token issuer does not answer; its last keys are used', 'start the issuer; the log names the reason')]
      : []),
    ...warnings.map((text) => found('topic-noticed', text, 'run the command in the text')),
  ];
};

const earlierRelease = (operation: string): Finding =>
  found(
    'version-differs',
    `the service is of an earlier release: it has no ${operation}`,
    'restart it after an update, or use its release',
  );

/** A release that does not say its version is earlier than all that do. */
const checkVersion = ({ version }: Partial<Pick<StoreHealth, 'version'>>): readonly Finding[] =>
  version === VERSION
    ? []
    : [
        found(
          'version-differs',
          `the service has ${version === undefined ? 'an earlier version' : `the version ${version}`}, and this command ${VERSION}`,
          'restart the service after an update, or use the same release',
        ),
      ];

const checkHistoryHealth = ({ audit, brokenStreams, brokenStreamCount }: StoreHealth): readonly Finding[] => {
  const more =
    brokenStreamCount > brokenStreams.length
      ? [found('history-altered', `and ${brokenStreamCount - brokenStreams.length} more streams`, REMEDIES.altered)]
      : [];
  return [
    ...brokenStreams.map(({ kind, reason }) =>
      found(kind === 'unreadable' ? 'history-unreadable' : 'history-altered', reason, REMEDIES[kind]),
    ),
    ...more,
    ...audit.faults.map((fault) => found('history-altered', fault.reason, fault.remedy)),
  ];
};

/** Returns the finding of a paused read model. */
export const pausedFinding = (
  name: string,
  { since, by, reason }: { readonly since: string; readonly by: string; readonly reason?: string },
): Finding =>
  found(
    'read-model-paused',
    `the read model ${name} is paused since ${since} by ${by}${reason === undefined ? '' : `: ${reason}`}`,
    `petstore projections resume ${name}`,
  );

const checkProjections = ({ data }: ProjectionStates): readonly Finding[] =>
  data.flatMap(({ name, status, pause, fill, behindSeconds, lastError, parked }) => [
    ...(pause ? [pausedFinding(name, pause)] : []),
    ...(status === 'running' && (behindSeconds ?? 0) > MAX_LAG
      ? [
          found(
            'read-model-behind',
            `the read model ${name} is ${Math.round(behindSeconds ?? 0)} seconds behind`,
            'petstore projections status',
          ),
        ]
      : []),
    // The error of a parked stream is shown with what is parked.
    ...(lastError && parked === 0
      ? [
          found(
            'read-model-fails',
            `the read model ${name} does not go on: ${lastError.error}`,
            'remove the reason; it is tried again by itself',
          ),
        ]
      : []),
    ...(fill?.state === 'differs'
      ? [
          found(
            'fill-waits',
            `a rebuild of ${name} differs and waits: ${fill.difference ?? ''}`,
            `petstore projections switch ${name}, or drop ${name}`,
          ),
        ]
      : []),
    ...(fill?.state === 'held'
      ? [
          found(
            'fill-waits',
            `a rebuild of ${name} is complete and waits since ${fill.since}, as ${fill.by} wanted`,
            `petstore projections switch ${name}, or drop ${name}`,
          ),
        ]
      : []),
  ]);

/** Returns what is parked. The health of the log shows broken streams; that of a stopped store shows no unreadable ones. */
export const checkParked = (
  { causes }: Pick<ParkedList, 'causes'>,
  broken: 'without unreadable' | 'with unreadable' = 'without unreadable',
): readonly Finding[] =>
  causes.flatMap(({ kind, name, cause, count, items }) => {
    const first = items[0];
    if (cause === 'altered') return [];
    if (cause === 'unreadable')
      return broken === 'with unreadable' ? [found('history-unreadable', first?.error ?? '', REMEDIES.unreadable)] : [];
    if (kind === 'delivery')
      return [
        found(
          'delivery-dead',
          `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} given up (${cause}), the oldest of ${receiverOf(first)}: ${first?.error ?? ''}`,
          `when the receiver is up: petstore retry --cause ${cause}, and then petstore parked`,
        ),
      ];
    const [finding, what] = kind === 'stream' && name !== RELAY ? (['read-model-parked', 'stream'] as const) : (['parked', kind] as const);
    const retry = `petstore retry ${name} ${first?.stream ?? 'STREAM'}${kind === 'stream' ? ' --trial' : ''}`;
    return [
      found(
        finding,
        `${name} has parked ${count} ${what}${count === 1 ? '' : 's'}, first ${first?.stream ?? ''} at revision ${first?.revision ?? ''}: ${first?.error ?? ''}`,
        `petstore parked --name ${name}; install a release that handles the event, then ${retry}`,
      ),
    ];
  });

const receiverOf = (item?: { readonly webhookId?: string; readonly orderId?: string }): string =>
  item?.webhookId === undefined ? `the callback of order ${item?.orderId ?? ''}` : `the endpoint ${item.webhookId}`;

/** Returns what is stuck, one finding for each kind. Deliveries that are given up are shown with what is parked. */
export const checkStuck = ({ kinds, items }: Pick<StuckList, 'kinds' | 'items'>): readonly Finding[] =>
  kinds
    .filter(({ kind }) => kind !== 'delivery-given-up')
    .map(({ kind, count, oldest }) => {
      const first = items.find((item) => item.kind === kind);
      return found(
        'stuck',
        `${kind}: ${count}, the oldest since ${oldest}, ${first?.stream ?? ''}: ${first?.why ?? ''}`,
        first?.helps ?? 'petstore stuck',
      );
    });
