import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ERASURE_FORMAT, type ErasureList } from '../../../../libs/application/erasures/erasure-list.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { CommandError } from '../../errors/command-error.js';

/** The file name that means standard input when a list is read, and standard output when it is written. */
export const STANDARD = '-';

/** Writes a list of erasures. An interruption leaves an earlier file unchanged. Throws CommandError if writing fails. */
export const writeErasures = (file: string, list: ErasureList): void => {
  const text = `${JSON.stringify(list, null, 1)}\n`;
  if (file === STANDARD) return void process.stdout.write(text);
  try {
    writeFileSync(`${file}.part`, text, { mode: 0o600, flush: true });
    renameSync(`${file}.part`, file);
  } catch (error) {
    throw new CommandError(`${file} could not be written: ${reasonOf(error)}`, { cause: error });
  }
};

/** Reads a list of erasures. Throws CommandError if the file cannot be read or contains no such list. */
export const readErasures = (file: string): ErasureList => {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(file === STANDARD ? 0 : file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} could not be read as a list of erasures: ${reasonOf(error)}`, { cause: error });
  }
  if (!isErasureList(list)) throw new CommandError(`${file} is no list of erasures: "erasures export" writes one`);
  return list;
};

const isErasureList = (list: unknown): list is ErasureList => {
  const { format, check, erased } = (list ?? {}) as Partial<Record<keyof ErasureList, unknown>>;
  return format === ERASURE_FORMAT && typeof check === 'string' && Array.isArray(erased) && erased.every((one) => typeof one === 'string');
};
