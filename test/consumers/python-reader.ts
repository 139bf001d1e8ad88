import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, ROOT } from '../servers/program.js';

const SCRIPT = join(ROOT, 'test', 'consumers', 'read_topics.py');

/** A message as the reader in Python understood it. */
export type ReadByPython = {
  readonly topic: string;
  readonly key: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text, written anew by Python. */
  readonly data: string;
  /** Where it differs from what the AsyncAPI document says of it. */
  readonly faults: readonly string[];
};

/** Lets a program in Python read every topic of an AsyncAPI document, until so many events have come. */
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
