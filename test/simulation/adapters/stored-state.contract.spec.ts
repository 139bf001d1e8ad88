import { simulatedGateway } from '../../../libs/adapters/gateway/index.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import type { PaymentInstrument } from '../../../libs/ports/payment-gateway.port.js';
import { deliveryRetentionContract } from '../../contract/delivery-retention.contract.js';
import { documentSearchesContract } from '../../contract/document-searches.contract.js';
import { documentsContract, type DocumentsUnderTest } from '../../contract/documents.contract.js';
import { keyVaultContract } from '../../contract/key-vault.contract.js';
import { leasedDocumentsContract, type LeasedDocumentsUnderTest } from '../../contract/leased-documents.contract.js';
import { leasesContract } from '../../contract/leases.contract.js';
import { paymentGatewayContract } from '../../contract/payment-gateway.contract.js';
import { leasedTargetOn, projectionTargetContract } from '../../contract/projection-target.contract.js';
import { stateStoreContract } from '../../contract/state-store.contract.js';
import { workQueueContract } from '../../contract/work-queue.contract.js';
import { directLink, type Link } from '../link.js';
import { DocumentServer, simulatedDocuments } from './simulated-documents.js';
import { KeyServer, simulatedKeys } from './simulated-keys.js';
import { LeaseServer, simulatedLeases } from './simulated-leases.js';
import { LedgerServer, simulatedLedger } from './simulated-ledger.js';
import { simulatedWorkQueue, WorkQueueServer } from './simulated-work-queue.js';

const NAME = 'the simulated server';
const close = async (): Promise<void> => {};

/** Each call takes a millisecond, so that the shortest leases and claims of a contract expire. */
const slowLink =
  (clock: ManualClock): Link =>
  async (_, effect) => {
    clock.advance(1);
    return effect();
  };

const openDocuments = async (): Promise<DocumentsUnderTest> => ({
  documents: simulatedDocuments(new DocumentServer(manualClock()), directLink),
  close,
});

documentsContract(NAME, openDocuments);
documentSearchesContract(NAME, openDocuments);
stateStoreContract(NAME, openDocuments);
deliveryRetentionContract(NAME, openDocuments);

leasesContract(NAME, async () => {
  const clock = manualClock();
  return { leases: simulatedLeases(new LeaseServer(clock), slowLink(clock)), close };
});

const openLeasedDocuments = async (): Promise<LeasedDocumentsUnderTest> => {
  const clock = manualClock();
  const leases = new LeaseServer(clock);
  const documents = simulatedDocuments(new DocumentServer(clock, leases), directLink);
  return { documents, leases: simulatedLeases(leases, directLink), close };
};

leasedDocumentsContract(NAME, openLeasedDocuments);
projectionTargetContract(NAME, async () => leasedTargetOn(await openLeasedDocuments()));

workQueueContract(NAME, async () => {
  const clock = manualClock();
  return { queue: simulatedWorkQueue(new WorkQueueServer(clock), slowLink(clock)), close };
});

keyVaultContract(NAME, async () => {
  let seed = 1;
  const random = (): number => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  return { keys: simulatedKeys(new KeyServer(manualClock(), random), directLink), close };
});

const card = (number: string): PaymentInstrument => ({ object: 'card', number, cvc: '123', expMonth: 12, expYear: 2030 });

paymentGatewayContract('the simulated gateway on a simulated ledger', async () => {
  const clock = manualClock();
  const server = new LedgerServer();
  return {
    gateway: simulatedGateway(simulatedLedger(server, directLink), { clock, fingerprintKey: new Uint8Array(32) }),
    good: [card('4242424242424242'), card('5555555555554444')],
    declined: card('4000000000000002'),
    bankAccount: { object: 'bank_account', number: '000123456789', sortCode: '110000' },
    clock,
    ledger: async (key) => ({ charges: server.charges.has(key) ? 1 : 0, refunds: server.refunds.has(key) ? 1 : 0 }),
    close,
  };
});
