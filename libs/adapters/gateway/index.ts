export { sharedLedger } from './shared-ledger.js';
export { simulatedGateway } from './simulated-gateway.js';
