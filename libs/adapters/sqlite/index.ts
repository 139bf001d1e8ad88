export { openSqlite, type SqliteStore } from './open-sqlite.js';
export { backupFolder, restoreBackup } from './folder/backup.js';
export { STORE_FILE } from './folder/file-names.js';
export { openFolder, openStoreKeys } from './folder/open-folder.js';
export { storeIdOf } from './folder/store-id.js';
export { copyLedger, openLedger, type OpenLedger } from './ledger.js';
export { openLogFile } from './log/log-file.js';
export { readHolder } from './folder/lock.js';
export { FolderRefused } from './folder/refused.js';
