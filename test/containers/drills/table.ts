import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../servers/program.js';
import { printLine } from '../../print-line.js';
import type { StepAccount } from './observation.js';

/** A row of the table: the result of one step of the drills. */
export type Row = {
  readonly step: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly notes: string;
  readonly account?: StepAccount;
};

/** The folder of the table and the log. It is below dist, which Git ignores. */
const FOLDER = join(ROOT, 'dist', 'drills');

const HEADINGS = [
  ...['Step', 'Result', 'Time', 'Acknowledged', 'Lost', 'Doubled', 'Out of order', 'Unsettled', '5xx but 503'],
  ...['503', 'No answer', 'Longest silence', 'Lag 0 after', 'Repeated messages', 'Repeated webhooks', 'Notes'],
];

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

const cellsOf = ({ step, passed, seconds, notes, account }: Row): readonly string[] => [
  ...[step, passed ? 'passed' : 'FAILED', inSeconds(seconds * 1_000)],
  ...(account
    ? [
        ...[account.acknowledged, account.lost.length, account.doubled.length, account.disordered.length, account.unsettled].map(String),
        ...[account.serverErrors.length, account.unavailable, account.unanswered].map(String),
        ...[
          inSeconds(account.longestSilence),
          inSeconds(account.settledAfter),
          `${account.repeatedMessages} of ${account.messages}`,
          `${account.repeatedWebhooks} of ${account.webhooks}`,
        ],
      ]
    : Array<string>(12).fill('')),
  notes,
];

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`;

const formatTable = (rows: readonly Row[]): string =>
  [lineOf(HEADINGS), lineOf(HEADINGS.map(() => '---')), ...rows.map((row) => lineOf(cellsOf(row)))].join('\n');

/** Opens the table. Each new row is written to the file immediately, so that an interrupted run leaves a table. */
export const openTable = () => {
  const rows: Row[] = [];
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'log'), '');
  const log = (text: string): void => {
    const line = `drills ${new Date().toISOString().slice(11, 19)}: ${text}`;
    printLine(line);
    appendFileSync(join(FOLDER, 'log'), `${line}\n`);
  };
  return {
    log,
    add(row: Row): void {
      rows.push(row);
      writeFileSync(join(FOLDER, 'table.md'), `${formatTable(rows)}\n`);
      log(`${row.passed ? 'passed' : 'FAILED'}: ${row.step} (${Math.round(row.seconds)} s) ${row.notes}`);
    },
    print: (): void => printLine(`\n${formatTable(rows)}\n\nThe table and the log are in ${FOLDER}`),
  };
};

export type Table = ReturnType<typeof openTable>;
