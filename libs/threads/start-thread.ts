import { Worker, type Transferable } from 'node:worker_threads';

/**
 * The only code of a thread that is not in a file: it sets the priority, and imports the program. In tests, Node reads TypeScript
 * without its types, and a hook resolves imports of `.js` to `.ts`. Programs therefore use no syntax that is more than types, such as
 * parameter properties. The priority is changed only on Linux, because other systems would change that of the whole process.
 */
const IMPORT_PROGRAM = `
const { registerHooks } = require('node:module');
const { program, nice } = require('node:worker_threads').workerData;
const resolve = (name, context, next) => next(context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context);
if (nice > 0 && process.platform === 'linux') {
  try {
    require('node:os').setPriority(nice);
  } catch {
    // Some sandboxes forbid a change of the priority.
  }
}
if (program.endsWith('.ts')) registerHooks({ resolve });
void import(program);`;

export type ThreadOptions = {
  /** What the program reads in `workerData`. */
  readonly data: object;
  /** What of the data moves to the thread. Default: nothing. */
  readonly transfer?: readonly Transferable[];
  /** The `nice` value of the thread (0 to 19). A larger value means a lower priority. Default: the priority of the process. */
  readonly nice?: number;
  /**
   * The size in MB of its part of the heap for new objects. A small one keeps a thread small that reads much and keeps little: with V8's
   * default, the garbage of a million rows grew its heap to 150 MB. Default: that of V8.
   */
  readonly youngMegabytes?: number | undefined;
};

/** Starts a thread with the program of a module. It does not keep the process alive. */
export const startThread = (program: URL, { data, transfer = [], nice = 0, youngMegabytes }: ThreadOptions): Worker => {
  const worker = new Worker(IMPORT_PROGRAM, {
    eval: true,
    workerData: { ...data, program: program.href, nice },
    transferList: [...transfer],
    execArgv: ['--no-warnings'],
    ...(youngMegabytes !== undefined && { resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes } }),
  });
  worker.unref();
  return worker;
};

/** Returns the URL of a module beside another: a compiled file in the service, and a file of TypeScript in tests. */
export const moduleBeside = (url: string, name: string): URL => new URL(`${name}${url.slice(url.lastIndexOf('.'))}`, url);
