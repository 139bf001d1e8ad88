import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warning' | 'wrong' | 'plain';

/** A state in one or two words. Its mark differs in form, not only in colour. */
export const State = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`state ${tone}`}>{children}</span>
);

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  running: 'good',
  up: 'good',
  whole: 'good',
  pending: 'plain',
  waiting: 'warning',
  filling: 'warning',
  paused: 'warning',
  held: 'warning',
  unverified: 'plain',
  parked: 'wrong',
  differs: 'wrong',
  altered: 'wrong',
  down: 'wrong',
};

/** Returns the tone of a status of the service. */
export const toneOf = (status: string): Tone => (Object.hasOwn(TONES, status) ? (TONES[status] ?? 'plain') : 'plain');
