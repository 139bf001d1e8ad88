import { contracts } from '../../../../../libs/contracts/contracts.js';
import { inNamespace } from '../../../../../libs/eventsourcing/ports/publisher.port.js';
import { messageTypeOf, publishedMessages } from '../../../../../libs/contracts/message-contract.js';
import { webhookContracts } from '../../../../../libs/contracts/webhooks.js';
import { sidebarHtml, type SidebarGroup, type SidebarLink } from '../sidebar.js';
import { ORDER_CALLBACK_ID } from './webhooks-part.js';

type Entry = { readonly id: string; readonly label: string; readonly entries?: readonly Entry[] };

const contents = (namespace: string): readonly Entry[] => [
  { id: 'guarantees', label: 'Guarantees' },
  {
    id: 'topics',
    label: 'Topics',
    entries: [
      { id: 'headers', label: 'Headers' },
      ...contracts.map((contract) => ({
        id: contract.topic,
        label: inNamespace(namespace, contract.topic),
        entries: publishedMessages(contract).map(([type]) => ({ id: messageTypeOf(contract.category, type), label: type })),
      })),
    ],
  },
  { id: 'sequence', label: 'Sequence and gaps' },
  {
    id: 'webhooks',
    label: 'Webhooks',
    entries: [
      { id: 'events', label: 'Events', entries: webhookContracts.map(({ eventType }) => ({ id: eventType, label: eventType })) },
      { id: 'webhook-headers', label: 'Headers' },
      { id: 'verify', label: 'Verify a signature' },
      { id: 'attempts', label: 'Attempts' },
    ],
  },
  { id: 'callbacks', label: 'Callbacks', entries: [{ id: ORDER_CALLBACK_ID, label: 'Order callback' }] },
];

const linkOf = ({ id, label, entries }: Entry): SidebarLink => ({
  href: `#${id}`,
  label,
  ...(entries && { links: entries.map(linkOf) }),
});

const groupOf = ({ id, label, entries }: Entry): SidebarGroup =>
  entries ? { label, links: [linkOf({ id, label: `About ${label.toLowerCase()}` }), ...entries.map(linkOf)] } : { label, href: `#${id}` };

/** Creates the table of contents, with a link to each message. */
export const contentsHtml = (namespace: string): string => sidebarHtml({ what: 'events', groups: contents(namespace).map(groupOf) });
