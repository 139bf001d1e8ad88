import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { ROOT, startProgram, type Program } from './program.js';
import { freePorts } from './services/free-ports.js';
import type { Missing } from './services/shared.js';

/** A proxy of docs/proxies.md. */
type Kind = {
  /** The arguments with which the program prints its version. */
  readonly version: readonly [string, string];
  /** Returns the whole configuration: the block of the document, and what only a test needs. */
  readonly configuration: (block: string, folder: string) => string;
  readonly command: (file: string, folder: string, port: number) => readonly [string, ...string[]];
};

const APACHE_MODULES = [...['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers', 'filter', 'deflate']] as const;

/** The proxies, by the language of their block in docs/proxies.md. */
const KINDS = {
  nginx: {
    version: ['nginx', '-v'],
    configuration: (block, folder) =>
      `daemon off; user root; pid ${folder}/pid; error_log stderr warn; events {}\n` +
      `http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; ` +
      `fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${block}\n}`,
    command: (file, folder) => ['nginx', '-p', folder, '-e', 'stderr', '-c', file],
  },
  haproxy: {
    version: ['haproxy', '-v'],
    // The end of each session: who ended it, and when.
    configuration: (block) =>
      block.replace('defaults\n', 'defaults\n  log stdout format raw local0\n  log-format "ended %ts status %ST"\n'),
    command: (file) => ['haproxy', '-db', '-f', file],
  },
  apache: {
    version: ['apache2', '-v'],
    configuration: (block, folder) =>
      `ServerRoot "${folder}"\nPidFile "${folder}/pid"\nErrorLog ${folder}/log\nServerName localhost\nMutex file:${folder}\n` +
      `${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}${block}`,
    command: (file) => ['apache2', '-DFOREGROUND', '-f', file],
  },
  caddy: {
    version: ['caddy', 'version'],
    configuration: (block) => `{\n  admin off\n  auto_https off\n}\n${block.replace(' {\n', ' {\n  bind 127.0.0.1\n')}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  lighttpd: {
    version: ['lighttpd', '-v'],
    configuration: (block, folder) => `server.document-root = "${folder}"\nserver.upload-dirs = ( "${folder}" )\n${block}`,
    command: (file) => ['lighttpd', '-D', '-f', file],
  },
  varnish: {
    version: ['varnishd', '-V'],
    configuration: (block) => block,
    command: (file, folder, port) => [
      ...(['varnishd', '-F', '-j', 'none', '-n', join(folder, 'n'), '-a', `127.0.0.1:${port}`, '-f', file, '-s', 'malloc,64m'] as const),
      ...['-p', 'http_req_hdr_len=16k', '-p', 'http_req_size=32k', '-p', 'backend_idle_timeout=60'],
    ],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProxyName = keyof typeof KINDS;
export const PROXIES = Object.keys(KINDS) as readonly ProxyName[];

export const PROXIES_DOCUMENT = join(ROOT, 'docs', 'proxies.md');

/** Returns the block of a proxy in docs/proxies.md. */
export const documentedBlock = (name: ProxyName): string => {
  const [, block] = new RegExp(`^\`\`\`${name}\\n([^]*?)^\`\`\`$`, 'm').exec(readFileSync(PROXIES_DOCUMENT, 'utf8')) ?? [];
  if (block === undefined) throw new Error(`docs/proxies.md has no block of ${name}`);
  return block;
};

/** Returns the version of a proxy, or why it is missing. */
export const findProxy = (name: ProxyName): { readonly versions: string } | Missing => {
  const [program, argument] = KINDS[name].version;
  const { status, stdout, stderr } = spawnSync(program, [argument], { encoding: 'utf8' });
  const [version = ''] = `${stdout}${stderr}`.split('\n');
  return status === 0 ? { versions: `${name}: ${version}` } : { missing: `${program} is not installed: it is in a package of Debian` };
};

/** A proxy that runs. */
export type RunningProxy = {
  readonly url: string;
  /** What it has logged. */
  log(): string;
  stop(): Promise<void>;
};

/** The ports of a proxy and of the service behind it. */
export type ProxyPorts = { readonly proxy: number; readonly service: number };

export const proxyPorts = async (): Promise<ProxyPorts> => ({ proxy: await freePorts(), service: await freePorts() });

/** Starts a proxy with its block of docs/proxies.md on loopback. `edit` may change the block. The service must run. Resolves when the service answers through it. */
export const startProxy = async (
  name: ProxyName,
  folder: string,
  ports: ProxyPorts,
  edit: (block: string) => string = (block) => block,
): Promise<RunningProxy> => {
  mkdirSync(folder, { recursive: true });
  const { configuration, command }: Kind = KINDS[name];
  const block = edit(documentedBlock(name)).replaceAll('8080', String(ports.proxy)).replaceAll('3000', String(ports.service));
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, configuration(block, folder));
  const [program, ...args] = command(file, folder, ports.proxy);
  const running: Program = startProgram(program, args, { env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } });
  const url = `http://127.0.0.1:${ports.proxy}`;
  const log = (): string => running.stdout() + running.stderr();
  let hasEnded = false;
  void running.ended.then(() => (hasEnded = true));
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(({ status, body }) => body?.cancel().then(() => status === 200) ?? false);
  await eventually(`the service behind ${name}`, () => hasEnded || isReady());
  if (hasEnded) throw new Error(`${name} ended: ${log()}`);
  const stop = async (): Promise<void> => {
    running.signal('SIGTERM');
    await running.ended;
  };
  return { url, log, stop };
};
