import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, ROOT } from '../servers/program.js';

const SCRIPT = join(ROOT, 'test', 'consumers', 'read_topics.py');

/** A message that the Python program has parsed. */
export type ReadByPython = {
  readonly topic: string;
  readonly key: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** JSON text, as Python serializes it. */
  readonly data: string;
  /** The ways in which the message violates its schemas in the AsyncAPI document. */
  readonly violations: readonly string[];
};

/**
 * Runs a Python program that reads the topics of an AsyncAPI document until it has read `count` different events.
 * Returns the messages. Throws if the program fails.
 */
export const readByPython = async (python: string, brokers: string, document: unknown, count: number): Promise<readonly ReadByPython[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-python-'));
  try {
    const file = join(folder, 'asyncapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { code, stdout, stderr } = await runProgram(python, [SCRIPT, brokers, file, String(count)], { env: { PYTHONUTF8: '1' } });
    if (code !== 0) throw new Error(`the Python program exited with ${code}: ${stderr}`);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ReadByPython);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
