export { openSqlite, type Sqlite, type SqliteOptions } from './open-sqlite.js';
export { backupFolder, restoreBackup } from './folder/backup.js';
export { STORE_FILE } from './folder/database.js';
export { openFolder, openStoreKeys } from './folder/open-folder.js';
export { openLogFile } from './log/log-file.js';
export { readHolder, type Holder } from './folder/lock.js';
export { FolderRefused, type Refusal } from './folder/refused.js';
export { openKeyVault } from './key-vault.js';
