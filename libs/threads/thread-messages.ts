/** A message to a thread that answers questions. */
export type ToThread<Question, Notice> =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'stop' };

/** The reply to the question with the same number: its answer, or why it failed. */
export type Reply = { readonly id: number; readonly answer?: unknown; readonly failed?: string };

/** A message from a thread: a reply, or what it tells the main thread by itself. */
export type FromThread<Told> = Reply | { readonly told: Told };
