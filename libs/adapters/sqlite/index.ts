export { openSqlite, type Sqlite, type SqliteOptions } from './open-sqlite.js';
export { backupFolder, restoreBackup, type BackupProgress } from './folder/backup.js';
export { IN_MEMORY, STORE_FILE } from './folder/database.js';
export { openFolder, openStoreKeys, type OpenFolder } from './folder/open-folder.js';
export { openLogFile, type LogFile } from './log/log-file.js';
export { readHolder, type Holder } from './folder/lock.js';
export { FolderRefused, type Refusal } from './folder/refused.js';
export { openKeyVault, type OpenKeyVault } from './key-vault.js';
export type { ParkedProjection } from './projections/parked-streams.js';
