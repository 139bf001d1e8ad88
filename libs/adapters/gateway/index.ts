export { FAILURE_REASONS } from './instrument-outcome.js';
export { copyLedger } from './ledger.js';
export { sharedLedger, type SharedLedgerTables } from './shared-ledger.js';
export { openSimulatedGateway, simulatedGateway, type SimulatedGateway } from './simulated-gateway.js';
