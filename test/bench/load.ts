import autocannon from 'autocannon';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One measured round. */
export type Round = {
  readonly requestsPerSecond: number;
  /** Requests per second of the server's processor time. It does not include the processor time of the load generator. */
  readonly requestsPerCpuSecond: number;
  /** Milliseconds. */
  readonly p99: number;
};

/** The requests of a scenario, which differ only in their paths. */
export type Requests = {
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many requests are sent at once. Default: 64. */
  readonly connections?: number;
};

/** What the load generator reports after a round. `p99` is in milliseconds. */
export type Load = { readonly answered: number; readonly failed: number; readonly seconds: number; readonly p99: number };

const CONNECTIONS = 64;
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process and its threads have used so far, in seconds. */
export const cpuSecondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

/** The load generator: `wrk` if it is installed, because it needs little CPU. Autocannon needs as much CPU as Fastify alone. */
export const GENERATOR = spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';

/** Runs a round of load. Measures the rate, the p99, and the processor time of the server with this pid. */
export const loadFor = async (url: string, pid: number, requests: Requests, seconds: number): Promise<Round> => {
  const before = cpuSecondsOf(pid);
  const load = await generateLoad(url, requests, seconds);
  const spent = cpuSecondsOf(pid) - before;
  return { requestsPerSecond: load.answered / load.seconds, requestsPerCpuSecond: load.answered / spent, p99: load.p99 };
};

/** Sends the requests again and again, in order, over its connections for `seconds`. Rejects if any request failed. */
export const generateLoad = async (url: string, requests: Requests, seconds: number): Promise<Load> => {
  const load = await (GENERATOR === 'wrk' ? withWrk : withAutocannon)(url, requests, seconds);
  if (load.failed > 0) throw new Error(`${url}: ${load.failed} requests failed`);
  return load;
};

const withAutocannon = async (
  url: string,
  { method, paths, headers, body, connections = CONNECTIONS }: Requests,
  seconds: number,
): Promise<Load> => {
  const requests = paths.map((path) => ({ method, path, ...(headers && { headers }), ...(body && { body }) }));
  const result = await autocannon({ url, connections, duration: seconds, requests });
  return { answered: result['2xx'], failed: result.non2xx + result.errors, seconds: result.duration, p99: result.latency.p99 };
};

/** The Lua script of wrk. It builds the requests once and prints a line of figures at the end. */
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
      local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
      print(string.format("figures %d %d %f %f", all.requests, failed, all.duration / 1e6, latency:percentile(99) / 1e3))
    end`;
};

const withWrk = async (url: string, requests: Requests, seconds: number): Promise<Load> => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  const script = join(folder, 'requests.lua');
  const paths = join(folder, 'paths');
  // The paths are not in the script, because a Lua function has at most 65,536 constants.
  writeFileSync(paths, requests.paths.join('\n'));
  writeFileSync(script, scriptOf(requests, paths), { mode: 0o600 });
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${requests.connections ?? CONNECTIONS}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    url,
  ]);
  rmSync(folder, { recursive: true });
  const [answered, failed, duration, p99] = /^figures (\S+) (\S+) (\S+) (\S+)$/m.exec(stdout)?.slice(1).map(Number) ?? [];
  if (answered === undefined || failed === undefined || duration === undefined || p99 === undefined)
    throw new Error(`unexpected output of wrk: ${stdout}`);
  return { answered: answered - failed, failed, seconds: duration, p99 };
};

/** Returns the median. For an even number of values, returns the greater of the two middle values. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
};
