export { copyLedger } from './ledger.js';
export { sharedLedger } from './shared-ledger.js';
export { openSimulatedGateway, simulatedGateway, type SimulatedGateway } from './simulated-gateway.js';
