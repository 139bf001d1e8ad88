import { openKeysOfProof } from '../../composition/proof.js';
import { openFolderKeys, requireStore } from '../../composition/embedded/folder.js';
import { openVerifiedFolder } from '../../composition/embedded/inspect-folder.js';
import type { PublicKeys } from '../../../../libs/audit/proof/signatures.js';
import type { AuditFault } from '../../../../libs/audit/verify/audit-fault.js';
import type { LogAudit } from '../../../../libs/audit/verify/verify-log.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { CommandError } from '../../errors/command-error.js';
import { createLog } from '../../logging/log.js';
import { chainsInThread } from './chains-in-thread.js';

/** A log that is open for an audit. A service may use the same log at the same time. */
export type AuditedLog = Pick<LogAudit, 'store' | 'codec' | 'upTo' | 'positions' | 'startChains'> & {
  /** The public keys of the service: those in its store and in SIGNING_KEY_FILE. */
  readonly ownKeys: PublicKeys;
  /**
   * Returns a fault for each stream whose read models show events that the log lacks. For a folder, also returns a fault for
   * each stream with events that its read models do not show.
   */
  readonly compareReadModels: () => Promise<readonly AuditFault[]>;
  readonly close: () => Promise<void>;
};

/** Opens the log in DATA_DIR, or the log in EventStoreDB in the distributed profile. */
export const openAuditedLog = (settings: Settings): Promise<AuditedLog> =>
  settings.servers ? openServers(settings) : openFolder(settings);

const openFolder = async ({ dataDir, signingKeyFile }: Settings): Promise<AuditedLog> => {
  if (dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, which has no log to verify: set DATA_DIR to the folder of a store');
  requireStore(dataDir);
  const log = openVerifiedFolder(dataDir);
  const { keys, close } = await openFolderKeys(dataDir);
  const ownKeys = await openKeysOfProof(keys, signingKeyFile).publicKeys();
  await close();
  return {
    ...log,
    ...chainsInThread(dataDir, log.upTo),
    positions: 'without gaps',
    ownKeys,
    compareReadModels: async () => [
      ...log.findMissingEvents().map(faultOf('missing')),
      ...log.findUnprojectedEvents().map(faultOf('altered')),
    ],
    close: async () => log.close(),
  };
};

const faultOf =
  (kind: AuditFault['kind']) =>
  ({ stream, revision, reason }: HistoryFault): AuditFault => ({ kind, stream, revision, reason });

/** Opens the log in EventStoreDB. Imports the modules of the distributed profile only here, because they take long to load. */
const openServers = async (configured: Settings): Promise<AuditedLog> => {
  const { openDistributedStore } = await import('../../composition/distributed/distributed.js');
  const { requireServers, openStoredDatabase } = await import('../../composition/distributed/open-servers.js');
  const { findMissingEvents } = await import('../../composition/distributed/inspect-servers.js');
  const settings = requireServers(configured);
  const log = createLog(settings.logLevel);
  // Rejects if the database contains no store. Without this check, openDistributedStore would create a store in it.
  await (await openStoredDatabase(settings, log)).close();
  const opened = await openDistributedStore(settings, log);
  const { store, codec, database, proofKeys } = opened;
  return {
    ...{ store, codec, upTo: await store.lastPosition(), positions: 'with gaps' as const },
    ownKeys: await proofKeys.publicKeys(),
    async compareReadModels() {
      const faults: AuditFault[] = [];
      for await (const fault of findMissingEvents({ store, documents: database.documents })) faults.push(faultOf('missing')(fault));
      return faults;
    },
    close: () => opened.close(),
  };
};
