import { openEgress } from '../../libs/adapters/egress/index.js';
import type { Lookup } from '../../libs/adapters/egress/destinations/lookup.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { connectHere, proxyTo, PUBLIC } from './egress.js';
import { egressContract } from './egress.contract.js';

const lookup: Lookup = async (host) => (host === 'hooks.example.com' ? [PUBLIC] : []);

// With `none`, only public addresses are allowed.
egressContract('the HTTP adapter', async (port) => {
  const egress = openEgress({ clock: systemClock, allow: 'none', lookup, connect: connectHere(port) });
  return { egress, close: async () => undefined };
});

egressContract('the HTTP adapter behind a proxy', async (port) => {
  const proxy = await proxyTo(port);
  const egress = openEgress({ clock: systemClock, allow: 'none', lookup, proxy: `http://127.0.0.1:${proxy.port}` });
  return { egress, close: () => proxy.close() };
});
