import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

/** One measured round. */
export type Round = {
  readonly requestsPerSecond: number;
  /** Requests per second of processor time that the server spent: what the load generator cannot distort. */
  readonly requestsPerCpuSecond: number;
  /** Milliseconds. */
  readonly p99: number;
};

export type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

const CONNECTIONS = 64;
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, in seconds; its threads included. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

/** Sends the requests in turn over 64 connections for some seconds. Rejects unless every answer is a success. */
export const loadFor = async (url: string, pid: number, requests: readonly Request[], seconds: number): Promise<Round> => {
  const before = cpuSeconds(pid);
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests: [...requests] });
  const spent = cpuSeconds(pid) - before;
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} never came`);
  const answered = result['2xx'];
  return { requestsPerSecond: answered / result.duration, requestsPerCpuSecond: answered / spent, p99: result.latency.p99 };
};

/** The middle value. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
};
