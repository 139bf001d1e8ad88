import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ROOT, Stopped } from './workspace.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** npm and a process group each pass on what the other has sent already; a person asks again later than this. */
const SAME_WISH_MILLISECONDS = 1000;

/** Whether a terminal has this process group in the foreground; where that cannot be read, whether there is a terminal. */
const inForeground = () => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foregroundGroup;
  } catch {
    return process.stdin.isTTY === true;
  }
};

/** How often it is looked whether npm still lives. */
const LOOK_MILLISECONDS = 250;

/** How often a program that loses signals is asked again to stop. */
const INSIST_MILLISECONDS = 500;

/** Asks the child to stop, with `insist` again and again: what runs below it must take a second request for the first. */
const stopper = (child, insist) => {
  let asking;
  return () => {
    if (asking) return;
    child.kill('SIGTERM');
    if (!insist) return;
    asking = setInterval(() => child.kill('SIGTERM'), INSIST_MILLISECONDS);
    child.once('exit', () => clearInterval(asking));
  };
};

/** Asks the child to stop when npm was killed outright: nobody is left who could. Answers how to stop looking. */
const followNpm = (stop) => {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    stop();
  }, LOOK_MILLISECONDS);
  return () => clearInterval(watch);
};

/** Passes signals on to the child until it ends, and tells `heard` of each. Answers how to stop doing so. */
const forwardSignals = (child, { expendable, insist }, stop, heard) => {
  const last = new Map();
  const forward = (signal) => {
    heard(signal);
    if (expendable) return child.kill('SIGKILL');
    if (insist) return stop();
    // A terminal sends Ctrl-C to the whole foreground group: the child has it already.
    if (signal === 'SIGINT' && inForeground()) return false;
    const now = performance.now();
    if (now - (last.get(signal) ?? -Infinity) < SAME_WISH_MILLISECONDS) return false;
    last.set(signal, now);
    return child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return () => FORWARDED.forEach((signal) => process.off(signal, forward));
};

/**
 * Runs a program, in the repository's folder unless another is named, and waits for its end, whatever signals come: its own graceful
 * stop decides. Answers `{ code, signal, heard, output }`: `heard` is the last signal that came meanwhile, `output` what
 * went to `'pipe'`s of `stdio`. An `expendable` program, whose work is done again from its beginning anyway, is not waited for;
 * with `insist` any signal asks the program to stop until it does.
 */
export const run = (program, args, { stdio = 'inherit', env = process.env, cwd = ROOT, expendable = false, insist = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio, env, cwd });
    let heard;
    const stop = stopper(child, insist);
    const stopForwarding = forwardSignals(child, { expendable, insist }, stop, (signal) => (heard = signal));
    const stopFollowing = followNpm(stop);
    const ended = () => {
      stopForwarding();
      stopFollowing();
    };
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes));
    child.once('error', (fault) => {
      ended();
      reject(fault);
    });
    child.once('close', (code, signal) => {
      ended();
      resolve({ code, signal, heard, output: Buffer.concat(output).toString() });
    });
  });

/** Runs one of several programs that make a whole; a signal, even one that the program took no notice of, stops the whole. */
export const runPart = async (program, args, options) => {
  const end = await run(program, args, options);
  const signal = end.heard ?? end.signal;
  if (signal) throw new Stopped(signal);
  return end;
};
