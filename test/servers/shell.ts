import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { newFolder } from './data-folder.js';
import { ROOT, startProgram } from './program.js';

/** The result of a command. */
export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A shell session: variables that one command sets exist in the next. */
export type Shell = {
  run(command: string): Promise<CommandResult>;
  close(): Promise<void>;
};

/** Opens bash in the repository's folder. */
export const openShell = (env: Readonly<Record<string, string>>): Shell => {
  const bash = startProgram('bash', ['--norc'], { env: { ...env, PATH: `${toolsFolder()}:${process.env['PATH'] ?? ''}` } });
  let commands = 0;
  return {
    async run(command) {
      const end = `<end of ${++commands}:`;
      const [stdoutBefore, stderrBefore] = [bash.stdout().length, bash.stderr().length];
      bash.write(`${command}\necho "${end}$?>"\n`);
      const stdout = await eventually(`the end of ${command}`, () =>
        />\n$/.test(bash.stdout()) && bash.stdout().includes(end) ? bash.stdout().slice(stdoutBefore) : null,
      );
      const [output = '', code = ''] = stdout.split(end);
      return { code: Number.parseInt(code, 10), stdout: output, stderr: bash.stderr().slice(stderrBefore) };
    },
    async close() {
      bash.write('exit\n');
      await bash.ended;
    },
  };
};

/** Creates a folder for PATH. If this machine has no jq, the folder contains a substitute. */
const toolsFolder = (): string => {
  const folder = newFolder();
  if (isMissing('jq')) {
    const jq = join(folder, 'jq');
    writeFileSync(jq, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'test', 'servers', 'jq-substitute.mjs')}" "$@"\n`);
    chmodSync(jq, 0o700);
  }
  return folder;
};

const isMissing = (tool: string): boolean => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
};
