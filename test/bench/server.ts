import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Server = { readonly url: string; readonly pid: number; stop(): Promise<void> };

/** Starts a Node program, and waits until it prints a line with the address on which it listens. */
export const startServer = async (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await Promise.race([
    addressIn(child),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${String(code)}`))),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const addressIn = async ({ stdout }: ChildProcess): Promise<string> => {
  if (!stdout) throw new Error('no output to read');
  for await (const line of createInterface({ input: stdout })) {
    const address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (address) {
      stdout.resume();
      return address;
    }
  }
  throw new Error('no address was named');
};
