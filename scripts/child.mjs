import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ROOT, Stopped } from './workspace.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** npm and the terminal may both send the same signal. A second signal within this time is ignored. */
const DUPLICATE_SIGNAL_MILLISECONDS = 1000;

/**
 * Returns whether this process group is in the foreground of a terminal. Without /proc, returns whether standard
 * input is a terminal.
 */
const inForeground = () => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foregroundGroup;
  } catch {
    return process.stdin.isTTY === true;
  }
};

/** The interval at which this process checks that npm is still running. */
const NPM_CHECK_MILLISECONDS = 250;

/** The interval between repeated signals to a program that may lose a signal. */
const REPEAT_MILLISECONDS = 500;

/**
 * Returns a function that sends SIGTERM to the child. With `insist`, the function repeats the signal until the child ends.
 */
const createStop = (child, insist) => {
  let repeating;
  return () => {
    if (repeating) return;
    child.kill('SIGTERM');
    if (!insist) return;
    repeating = setInterval(() => child.kill('SIGTERM'), REPEAT_MILLISECONDS);
    child.once('exit', () => clearInterval(repeating));
  };
};

/**
 * Stops the child when npm is killed, because a killed npm forwards no signals. Returns a function that stops
 * watching npm.
 */
const watchNpm = (stop) => {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    stop();
  }, NPM_CHECK_MILLISECONDS);
  return () => clearInterval(watch);
};

/**
 * Forwards signals to the child, and calls `onSignal` for each signal. Returns a function that stops forwarding.
 */
const forwardSignals = (child, { expendable, insist }, stop, onSignal) => {
  const last = new Map();
  const forward = (signal) => {
    onSignal(signal);
    if (expendable) return child.kill('SIGKILL');
    if (insist) return stop();
    // On Ctrl-C, a terminal sends SIGINT to the whole foreground group, so the child has received the signal already.
    if (signal === 'SIGINT' && inForeground()) return false;
    const now = performance.now();
    if (now - (last.get(signal) ?? -Infinity) < DUPLICATE_SIGNAL_MILLISECONDS) return false;
    last.set(signal, now);
    return child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return () => FORWARDED.forEach((signal) => process.off(signal, forward));
};

/**
 * Runs a program, by default in the repository's folder, and waits until it exits. Forwards signals to the program. Returns
 * `{ code, signal, received, output }`. `received` is the last signal that this process received. `output` is the text that
 * the program wrote to pipes; with `echo` it is also printed. Instead of a forwarded signal, an `expendable` program gets
 * SIGKILL. With `insist`, the program gets SIGTERM repeatedly until it exits.
 */
export const run = (
  program,
  args,
  { stdio = 'inherit', env = process.env, cwd = ROOT, echo = false, expendable = false, insist = false } = {},
) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio, env, cwd });
    let received;
    const stop = createStop(child, insist);
    const endForwarding = forwardSignals(child, { expendable, insist }, stop, (signal) => (received = signal));
    const endWatch = watchNpm(stop);
    const cleanUp = () => {
      endForwarding();
      endWatch();
    };
    const output = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        output.push(bytes);
        if (echo) process.stderr.write(bytes);
      });
    child.once('error', (fault) => {
      cleanUp();
      reject(fault);
    });
    child.once('close', (code, signal) => {
      cleanUp();
      resolve({ code, signal, received, output: Buffer.concat(output).toString() });
    });
  });

/**
 * Runs one program of a sequence. Throws `Stopped` if this process received a signal, so that the sequence stops even if the
 * program ignored the signal. Also throws `Stopped` if a signal ended the program.
 */
export const runStep = async (program, args, options) => {
  const end = await run(program, args, options);
  const signal = end.received ?? end.signal;
  if (signal) throw new Stopped(signal);
  return end;
};
