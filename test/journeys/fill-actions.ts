/** The actions of operators on a read model and its fill, each with its body. */
export const FILL_ACTIONS = [
  ['rebuild', {}],
  ['rebuild', { hold: true }],
  ['switch', {}],
  ['switch', { back: true }],
  ['drop', { reason: 'to see it' }],
  ['pause', {}],
  ['resume', {}],
] as const;
