import autocannon from 'autocannon';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One measured round. */
export type Round = {
  readonly requestsPerSecond: number;
  /** Requests per second of processor time that the server spent: what the load generator cannot distort. */
  readonly requestsPerCpuSecond: number;
  /** Milliseconds. */
  readonly p99: number;
};

/** All of one scenario: what differs is the path. */
export type Requests = {
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** What a round of load came to. */
export type Load = { readonly answered: number; readonly refused: number; readonly seconds: number; readonly p99: number };

const CONNECTIONS = 64;
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, in seconds; its threads included. */
export const cpuSecondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

/** `wrk` takes a few microseconds a request of the cores that the server runs on; autocannon takes as much as a bare server. */
export const GENERATOR = spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';

/** Sends load as `generateLoad` does, and counts what the server's process spends on it. */
export const loadFor = async (url: string, pid: number, requests: Requests, seconds: number): Promise<Round> => {
  const before = cpuSecondsOf(pid);
  const load = await generateLoad(url, requests, seconds);
  const spent = cpuSecondsOf(pid) - before;
  return { requestsPerSecond: load.answered / load.seconds, requestsPerCpuSecond: load.answered / spent, p99: load.p99 };
};

/** Sends the requests in turn over 64 connections for some seconds. Rejects unless every answer is a success. */
export const generateLoad = async (url: string, requests: Requests, seconds: number): Promise<Load> => {
  const load = await (GENERATOR === 'wrk' ? withWrk : withAutocannon)(url, requests, seconds);
  if (load.refused > 0) throw new Error(`${url}: ${load.refused} answers were no success or never came`);
  return load;
};

const withAutocannon = async (url: string, { method, paths, headers, body }: Requests, seconds: number): Promise<Load> => {
  const requests = paths.map((path) => ({ method, path, ...(headers && { headers }), ...(body && { body }) }));
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests });
  return { answered: result['2xx'], refused: result.non2xx + result.errors, seconds: result.duration, p99: result.latency.p99 };
};

/** In the language of wrk: the requests, made once, and a line of figures at the end. */
const scriptOf = ({ method, headers = {}, body }: Requests, pathsFile: string): string => {
  const text = (value: string): string => `"${value.replaceAll(/["\\\n]/g, String.raw`\$&`)}"`;
  return `
    local headers = { ${Object.entries(headers)
      .map(([name, value]) => `[${text(name)}] = ${text(value)}`)
      .join(', ')} }
    local requests, at = {}, 0
    init = function()
      for path in io.lines(${text(pathsFile)}) do requests[#requests + 1] = wrk.format(${text(method)}, path, headers, ${body ? text(body) : 'nil'}) end
    end
    request = function() at = at % #requests + 1; return requests[at] end
    done = function(all, latency)
      local errors = all.errors
      local refused = errors.status + errors.connect + errors.read + errors.write + errors.timeout
      print(string.format("figures %d %d %f %f", all.requests, refused, all.duration / 1e6, latency:percentile(99) / 1e3))
    end`;
};

const withWrk = async (url: string, requests: Requests, seconds: number): Promise<Load> => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  const script = join(folder, 'requests.lua');
  const paths = join(folder, 'paths');
  // Not in the script: a function there may name no more than 65,536 constants.
  writeFileSync(paths, requests.paths.join('\n'));
  writeFileSync(script, scriptOf(requests, paths), { mode: 0o600 });
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url]);
  rmSync(folder, { recursive: true });
  const [answered, refused, took, p99] = /^figures (\S+) (\S+) (\S+) (\S+)$/m.exec(stdout)?.slice(1).map(Number) ?? [];
  if (answered === undefined || refused === undefined || took === undefined || p99 === undefined) throw new Error(`wrk said: ${stdout}`);
  return { answered: answered - refused, refused, seconds: took, p99 };
};

/** The middle value. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
};
