export { FAILURE_REASONS, type FailureReason } from './instrument-outcome.js';
export { readLedger, type LedgerCharge } from './ledger.js';
export { openSimulatedGateway, type SimulatedGateway, type SimulatedGatewayOptions } from './simulated-gateway.js';
