export { openEmbedded, type Embedded, type EmbeddedOptions } from './embedded.js';
export { backupFolder, restoreBackup, type BackupProgress } from './folder/backup.js';
export { IN_MEMORY } from './folder/database.js';
export { openFolder, openStoreKeys, type OpenFolder } from './folder/open-folder.js';
export { readHolder, type Holder } from './folder/lock.js';
export { FolderRefused, type Refusal } from './folder/refused.js';
export { openKeyVault, type OpenKeyVault } from './key-vault.js';
export type { Log } from './log-lines.js';
export type { ParkedProjection } from './projections/parked-streams.js';
