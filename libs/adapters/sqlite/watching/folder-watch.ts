import { join } from 'node:path';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { AnsweringThread } from '../../../threads/answering-thread.js';
import { moduleBeside } from '../../../threads/start-thread.js';
import { STORE_FILE } from '../folder/file-names.js';
import { CHECKED_AT_START, isLargerThan, STORE_FILES } from '../folder/store-files.js';
import { createFilesCheck, createInPlaceCheck } from './in-place.js';

/** Milliseconds between two checks of the files. */
const CHECK_EVERY = 1_000;
/** The endings of a database file and of the files that SQLite keeps beside it while it is open. */
const ENDINGS = ['', '-wal', '-shm'];

const FOLDER_MOVED =
  'the folder of the store was moved, removed or replaced while it was open: put it back, or stop the service and start it with the folder at its new place';

const lostFile = (file: string): string =>
  `${file} was removed or replaced while the store was open: put it back, or stop the service, which saves what it can, and start it again`;

type FolderWatchDependencies = {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a file is lost that is not the store's own. What is only in its -wal file can then still be saved. */
  readonly onLostFile: () => void;
  /** The start does not check the structure of files that are larger than this, so the watch does. Default: CHECKED_AT_START. */
  readonly largerThan?: number;
};

/**
 * Watches the files of an open store: whether they are in place, every second, and once the structure of those that were too large for
 * a check at the start.
 */
export class FolderWatch {
  private readonly isStoreInPlace: () => boolean;
  private readonly findLostFile: () => Promise<string | null>;
  private readonly checks: AnsweringThread<string>;
  private lost: string | null = null;
  private damage: string | null = null;
  private isClosed = false;
  private cancelNext = (): void => undefined;

  constructor(private readonly dependencies: FolderWatchDependencies) {
    const { directory } = dependencies;
    this.isStoreInPlace = createInPlaceCheck(join(directory, STORE_FILE));
    this.findLostFile = createFilesCheck(
      directory,
      STORE_FILES.flatMap((file) => ENDINGS.map((ending) => file + ending)),
    );
    this.checks = new AnsweringThread({
      program: moduleBeside(import.meta.url, 'structure-check-program'),
      dataOf: () => ({ directory }),
      toError: (reason) => new StoreUnavailable(`the check of a file failed: ${reason}`),
    });
  }

  /** Resolves when it has seen the files for the first time. */
  async start(): Promise<void> {
    await this.checkFiles();
    void this.checkStructure();
  }

  /** Returns why nothing may be written, or null. */
  problem(): string | null {
    return this.isStoreInPlace() ? (this.lost ?? this.damage) : FOLDER_MOVED;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelNext();
    await this.checks.close(this.dependencies.clock);
  }

  private async checkFiles(): Promise<void> {
    const { clock, log, onLostFile } = this.dependencies;
    const found = await this.findLostFile();
    if (this.isClosed) return;
    // Without the store's own file, the whole folder was moved, and `problem` says so.
    const file = found === STORE_FILE ? null : found;
    const before = this.lost;
    this.lost = file === null ? null : lostFile(file);
    if (this.lost !== null && before === null) {
      log.error({ reason: this.lost }, 'writes are rejected, because a file of the store is not in its place');
      onLostFile();
    }
    if (this.lost === null && before !== null) log.info({}, 'the file of the store is in its place again');
    this.cancelNext = clock.after(CHECK_EVERY, () => void this.checkFiles());
  }

  private async checkStructure(): Promise<void> {
    const { directory, log, largerThan = CHECKED_AT_START } = this.dependencies;
    for (const file of STORE_FILES.filter((name) => isLargerThan(directory, name, largerThan))) {
      try {
        const found = (await this.checks.ask(file)) as string | null;
        if (found === null) continue;
        this.damage ??= `${file} is damaged: ${found}. Stop the service, and restore a backup to another folder`;
        log.error({ reason: this.damage }, 'writes are rejected, because a file of the store is damaged');
      } catch (error) {
        if (!this.isClosed) log.warn({ reason: reasonOf(error) }, `the structure of ${file} could not be checked`);
      }
    }
    await this.checks.close(this.dependencies.clock);
  }
}
