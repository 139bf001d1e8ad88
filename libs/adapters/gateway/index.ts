export { FAILURE_REASONS, type FailureReason } from './instrument-outcome.js';
export { copyLedger, readLedger, type LedgerCharge } from './ledger.js';
export { sharedLedger, type SharedLedgerTables } from './shared-ledger.js';
export { openSimulatedGateway, simulatedGateway, type SimulatedGateway, type SimulatedGatewayOptions } from './simulated-gateway.js';
