/**
 * The disk is nearly full if its free space is less than the size of the write-ahead log plus this margin. The thread then
 * checkpoints and truncates the write-ahead log.
 */
const MARGIN_BYTES = 16_777_216;
/** The free space is checked when the write-ahead log has grown by this many bytes. */
const CHECK_BYTES = 1_048_576;
/** The free space is also checked when this time has passed since the last check. */
const CHECK_MILLISECONDS = 1_000;
/** How long a truncating checkpoint waits for readers. The time is short, because commits wait for the checkpoint. */
const READER_WAIT_MILLISECONDS = 20;

/**
 * The source code of the thread. It is a string and not a file, because the path of a file would end in `.js` in the compiled
 * service, but in `.ts` in tests.
 */
export const COMMIT_THREAD_PROGRAM = `
const { statfsSync, statSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const { path, file, pragmas, port, state } = workerData;
const database = new DatabaseSync(new URL(file));
database.exec(pragmas);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const statements = [];
let current;
const commitAll = ({ ids, values }) => {
  begin.run();
  let from = 0;
  for (current = 0; current < ids.length; current++) {
    const known = statements[ids[current]];
    // Prepared at its first use, because an earlier statement of the transaction may create its table.
    known.statement ??= database.prepare(known.sql);
    known.statement.run(...values.slice(from, from + known.arity));
    from += known.arity;
  }
  current = undefined;
  commit.run();
};
const rollBack = () => {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {}
};
const wal = path + '-wal';
const { timeout } = database.prepare('PRAGMA busy_timeout').get();
const truncateLog = () => {
  database.exec('PRAGMA busy_timeout = ${READER_WAIT_MILLISECONDS}');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get().busy === 0;
  } finally {
    database.exec('PRAGMA busy_timeout = ' + timeout);
  }
};
let checkedSize = 0;
let nextCheck = 0;
const checkFreeSpace = () => {
  try {
    const { size } = statSync(wal);
    if (size < checkedSize + ${CHECK_BYTES} && Date.now() < nextCheck) return;
    checkedSize = size;
    nextCheck = Date.now() + ${CHECK_MILLISECONDS};
    const { bavail, bsize } = statfsSync(wal);
    if (size === 0 || bavail * bsize >= size + ${MARGIN_BYTES}) return;
    if (truncateLog()) checkedSize = 0;
  } catch {}
};
checkFreeSpace();
port.on('message', (message) => {
  if (message === 'stop') {
    database.close();
    port.close();
    return;
  }
  if (message === 'checkpoint') {
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {}
    return;
  }
  if (message === 'truncate') {
    let isEmpty = false;
    try {
      isEmpty = truncateLog();
    } catch {}
    port.postMessage({ kind: 'truncated', isEmpty });
    return;
  }
  let outcome;
  try {
    current = undefined;
    rollBack();
    statements.push(...message.added);
    commitAll(message);
    outcome = { kind: 'committed' };
  } catch (error) {
    rollBack();
    outcome = { kind: 'refused', message: error.message, errcode: error.errcode, statement: current };
  }
  port.postMessage(outcome);
  Atomics.store(state, 0, message.number);
  checkFreeSpace();
});`;
