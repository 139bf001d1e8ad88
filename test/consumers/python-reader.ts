import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, ROOT } from '../servers/program.js';

const SCRIPT = join(ROOT, 'test', 'consumers', 'read_topics.py');

/** A message as the Python program parsed it. */
export type ReadByPython = {
  readonly topic: string;
  readonly key: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text, as Python serializes it. */
  readonly data: string;
  /** The violations of its schemas in the AsyncAPI document. */
  readonly violations: readonly string[];
};

/** Runs a Python program that reads every topic of an AsyncAPI document until it has read `count` different events. */
export const readByPython = async (python: string, brokers: string, document: unknown, count: number): Promise<readonly ReadByPython[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-python-'));
  try {
    const file = join(folder, 'asyncapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { code, stdout, stderr } = await runProgram(python, [SCRIPT, brokers, file, String(count)], { env: { PYTHONUTF8: '1' } });
    if (code !== 0) throw new Error(`the reader in Python ended with ${code}: ${stderr}`);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ReadByPython);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
