import { proxyForm } from './address-values.js';
import { choiceOf, delaysForm, durationForm } from './setting-values.js';

/** The settings of webhooks and callbacks. */
export const OUTGOING = {
  webhookRetryDelays: {
    name: 'WEBHOOK_RETRY_DELAYS',
    form: delaysForm,
    default: '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h',
    meaning: 'The delay before each attempt of a delivery. A delivery has as many attempts as there are delays',
  },
  deliveryRetentionMilliseconds: {
    name: 'DELIVERY_RETENTION',
    form: durationForm,
    default: '90d',
    meaning: 'How long a delivery is stored after it succeeded; other deliveries are not deleted',
  },
  egressAllow: {
    name: 'EGRESS_ALLOW',
    form: choiceOf('loopback', 'none'),
    default: null,
    followsFrom: '`loopback` if HOST is loopback and NODE_ENV is not `production`, else `none`',
    meaning: '`loopback`: webhooks and callbacks may also target loopback addresses; `none`: only addresses on the public Internet',
  },
  egressProxy: {
    name: 'EGRESS_PROXY',
    form: proxyForm,
    default: null,
    meaning: 'Proxy for webhooks and callbacks',
    isSecret: true,
  },
} as const;
