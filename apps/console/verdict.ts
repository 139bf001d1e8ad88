import { fieldWords, stuckWords } from './event-words.js';
import type { Process, ProjectionState, ServiceState } from './shapes.js';
import { lengthWords } from './time-words.js';

/** Something that needs an operator, or that one should know. */
export type Finding = {
  readonly severity: 'wrong' | 'warning';
  readonly text: string;
  readonly since?: string;
  readonly helps: string;
  /** The page that shows more, as the first part of a route, with the query of its address. */
  readonly page?: string;
  readonly query?: Readonly<Record<string, string>>;
};

/** Processes report every 10 s. One that has not for so long is probably away. */
const AWAY_AFTER = 30_000;
/** A read model that lags by more seconds shows old data for longer than a person waits. */
const LAG_LIMIT = 60;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const integrity = ({ health }: ServiceState): readonly Finding[] => {
  if (health === null) return [];
  const { audit, brokenStreamCount } = health;
  const { faultCount } = audit;
  return [
    ...(audit.state === 'altered'
      ? [
          {
            severity: 'wrong' as const,
            text: `The log was altered: an audit has found ${counted(faultCount, 'fault', 'faults')}`,
            helps: 'Each fault below names its remedy.',
            page: 'audit',
          },
        ]
      : []),
    ...(brokenStreamCount > 0
      ? [
          {
            severity: 'wrong' as const,
            text: `${counted(brokenStreamCount, 'stream is', 'streams are')} broken: requests for these resources are answered with 503`,
            helps: 'Restore a backup from before the change, or start the newer version that wrote the events.',
            page: 'audit',
          },
        ]
      : []),
  ];
};

const serversDown = ({ processes }: ServiceState): readonly Finding[] => {
  const down = new Map<string, { readonly since: string; readonly waiting: string; readonly ids: readonly string[] }>();
  for (const { id, servers } of processes)
    for (const [name, server] of Object.entries(servers)) {
      if (server.status === 'up') continue;
      const before = down.get(name);
      const isEarlier = before === undefined || server.since < before.since;
      down.set(name, { ...(isEarlier ? server : before), ids: [...(before?.ids ?? []), id] });
    }
  return [...down].map(([name, { since, waiting, ids }]) => ({
    severity: 'wrong',
    text: `${name} does not answer ${ids.join(', ')}: ${waiting}`,
    since,
    helps: 'Nothing is lost: the processes wait, and continue when it answers. Check the server and the network.',
  }));
};

const away =
  ({ at }: ServiceState) =>
  (process: Process): readonly Finding[] =>
    Date.parse(at) - Date.parse(process.seenAt) > AWAY_AFTER
      ? [
          {
            severity: 'warning',
            text: `The process ${process.id} does not report`,
            since: process.seenAt,
            helps: 'It has ended or hangs. Others take its work over. It disappears from this list after a minute.',
          },
        ]
      : [];

const versions = ({ processes }: ServiceState): readonly Finding[] => {
  const used = [...new Set(processes.map(({ version }) => version))].sort();
  if (used.length < 2) return [];
  return [
    { severity: 'warning', text: `Processes run different versions: ${used.join(', ')}`, helps: 'This is normal only during a release.' },
  ];
};

const projection = ({ name, pause, fill, behindSeconds, stoppedByPause }: ProjectionState): readonly Finding[] => [
  ...(pause === undefined
    ? []
    : [
        {
          severity: 'warning' as const,
          text: `The projection ${name} is paused by ${pause.by}${pause.reason === undefined ? '' : ` (${pause.reason})`}${stoppedByPause.length > 0 ? `: ${stoppedByPause.join(', ')}` : ''}`,
          since: pause.since,
          helps: `petstore projections resume ${name}`,
          page: 'projections',
        },
      ]),
  ...(fill?.state === 'held'
    ? [
        {
          severity: 'warning' as const,
          text: `The rebuild of ${name} is complete, and waits for an operator`,
          since: fill.since,
          helps: `petstore projections switch ${name}`,
          page: 'projections',
        },
      ]
    : []),
  ...(fill?.state === 'differs'
    ? [
        {
          severity: 'warning' as const,
          text: `The rebuild of ${name} differs from what queries read: ${fill.difference ?? 'unknown'}`,
          since: fill.since,
          helps: `petstore projections switch ${name}, or petstore projections drop ${name}`,
          page: 'projections',
        },
      ]
    : []),
  ...(pause === undefined && behindSeconds !== null && behindSeconds > LAG_LIMIT
    ? [
        {
          severity: 'warning' as const,
          text: `The projection ${name} lags by ${lengthWords(behindSeconds)}`,
          helps: 'Queries read old data until it has caught up.',
          page: 'projections',
        },
      ]
    : []),
];

const stuck = ({ stuck: kinds }: ServiceState): readonly Finding[] =>
  (kinds ?? []).map(({ kind, count, oldest }) => ({
    severity: 'wrong',
    text: `${count} stuck: ${stuckWords(kind)}`,
    since: oldest,
    helps: 'The list says of each why, and what helps.',
    page: 'stuck',
    query: { kind },
  }));

const parked = ({ parked: list }: ServiceState): readonly Finding[] =>
  (list?.causes ?? []).map(({ name, kind, cause, count }) => ({
    severity: 'wrong',
    text: `${name} has parked ${list?.isComplete === false && kind === 'delivery' ? 'at least ' : ''}${counted(count, fieldWords(kind), kind === 'delivery' ? 'deliveries' : `${fieldWords(kind)}s`)} (${cause})`,
    helps: `After the repair: petstore retry --cause ${cause}`,
    page: 'parked',
  }));

/** Attempts of deliveries in the last minutes: those that receivers have accepted, and those that failed. */
export type Attempts = { readonly delivered: number; readonly failed: number };

/** Few failures are normal: receivers restart. */
const MIN_FAILED = 10;

const failing = ({ delivered, failed }: Attempts): readonly Finding[] =>
  failed < MIN_FAILED || failed < delivered / 10
    ? []
    : [
        {
          severity: 'warning',
          text: `${failed} of ${failed + delivered} attempts of deliveries have failed in the last five minutes`,
          helps: 'The attempts of each say what the receiver has answered. They are repeated until it accepts them.',
          page: 'deliveries',
          query: { status: 'pending' },
        },
      ];

/** Returns what is wrong and what should be known, the worst first. */
export const findingsOf = (state: ServiceState, attempts: Attempts = { delivered: 0, failed: 0 }): readonly Finding[] => {
  const all = [
    ...integrity(state),
    ...serversDown(state),
    ...stuck(state),
    ...parked(state),
    ...state.processes.flatMap(away(state)),
    ...versions(state),
    ...(state.projections ?? []).flatMap(projection),
    ...failing(attempts),
  ];
  return [...all.filter(({ severity }) => severity === 'wrong'), ...all.filter(({ severity }) => severity === 'warning')];
};

/** What each member of the state is called when it is unknown. */
const MEMBERS = {
  orders: 'orders',
  payments: 'payments',
  deliveries: 'deliveries',
  stuck: 'what is stuck',
  parked: 'what is parked',
  projections: 'projections',
  health: 'the health of the log',
} as const;

/** Returns what is unknown at the moment. */
export const unknownParts = (state: ServiceState): readonly string[] =>
  (Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]).filter((member) => state[member] === null).map((member) => MEMBERS[member]);

/** A server, as all processes that use it see it: up only if it answers each of them. */
export type ServerState = {
  readonly name: string;
  readonly isUp: boolean;
  readonly since?: string;
  readonly waiting?: string;
  readonly down: readonly string[];
  readonly users: number;
};

/** Returns each server once. */
export const serversOf = (processes: readonly Process[]): readonly ServerState[] => {
  const names = [...new Set(processes.flatMap(({ servers }) => Object.keys(servers)))].sort();
  return names.map((name) => {
    const seen = processes.flatMap(({ id, servers }) => (servers[name] ? [{ id, server: servers[name] }] : []));
    const down = seen.flatMap(({ id, server }) => (server.status === 'down' ? [{ id, ...server }] : []));
    const first = down.toSorted((one, other) => (one.since < other.since ? -1 : 1))[0];
    return {
      name,
      isUp: down.length === 0,
      ...(first && { since: first.since, waiting: first.waiting }),
      down: down.map(({ id }) => id),
      users: seen.length,
    };
  });
};
