import type { Figures, PeerComparison } from './peers.bench.js';
import type { PeerName } from './services.js';

/** The minimum of a reported cost: milliseconds of CPU, or commands, per request. Smaller costs are background work. */
const MIN_PER_REQUEST = 0.005;

const whole = (count: number): string => Math.round(count).toLocaleString('en-US');

const byName = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).filter(([, count]) => count >= MIN_PER_REQUEST);
  const shown = parts.toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count.toFixed(2)}`);
  return shown.join(', ') || 'none';
};

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((total, count) => total + count, 0);

const verdictOf = ({ goals, figures }: PeerComparison, peer: PeerName): string => {
  if (peer === 'by hand') return '1 | | ';
  const ratio = figures[peer].requestsPerSecond / figures['by hand'].requestsPerSecond;
  return `${ratio.toFixed(2)} | ${goals[peer].toFixed(2)} | ${ratio >= goals[peer] ? 'reached' : 'MISSED'}`;
};

const lineOf = (compared: PeerComparison, peer: PeerName): string => {
  const { requestsPerSecond, p99, cpu, commands, settledAfter }: Figures = compared.figures[peer];
  const settled = settledAfter >= 0.05 ? `${settledAfter.toFixed(1)} s` : 'at once';
  return (
    `| ${compared.name} | ${peer} | ${whole(requestsPerSecond)} | ${verdictOf(compared, peer)} | ${p99.toFixed(0)} | ` +
    `${sum(cpu).toFixed(2)} (${byName(cpu)}) | ${byName(commands)} | ${settled} |`
  );
};

/** Formats the comparison with the CRUD service as a table. */
export const peersReport = (all: readonly PeerComparison[], pets: number): string =>
  [
    `\nThe pet store in both profiles, and a CRUD service with NestJS and MongoDB. The CRUD service has no rate limit, tokens, history or messages. 64 connections, ${whole(pets)} pets.`,
    'The req/s of POST is the number of responses per second, with the default of WRITE_WAIT. After its load, each distributed round waits until projections and relay have caught up. Only their costs include this wait.',
    '\n| request | service | req/s | ratio to the CRUD service | goal | | p99, ms | CPU of all servers, ms a request | MongoDB commands a request | caught up after |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...all.flatMap((compared) => (['by hand', 'embedded', 'distributed'] as const).map((peer) => lineOf(compared, peer))),
  ].join('\n');
