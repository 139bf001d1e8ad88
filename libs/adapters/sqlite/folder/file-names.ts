/** The directory name for a store that is only in memory. */
export const IN_MEMORY = ':memory:';

/** The file of the log, the read models and the checkpoints. */
export const STORE_FILE = 'petstore.sqlite';
/** The file of the keys. It is separate so that a copy of the log contains no keys. */
export const KEYS_FILE = 'keys.sqlite';
/** The file of the payment gateway's ledger. */
export const LEDGER_FILE = 'gateway.sqlite';
