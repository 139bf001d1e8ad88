export { FAILURE_REASONS } from './instrument-outcome.js';
export { copyLedger, readLedger, type LedgerCharge } from './ledger.js';
export { sharedLedger, type SharedLedgerTables } from './shared-ledger.js';
export { openSimulatedGateway, simulatedGateway, type SimulatedGateway } from './simulated-gateway.js';
