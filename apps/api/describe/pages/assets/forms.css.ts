/** The stylesheet of the pages with a form: signing in, giving access, connecting a device. */
export const FORMS_CSS = `
main.form-page { max-width: 32rem; overflow-wrap: anywhere; }
.form-page .lead { margin-bottom: 1rem; }
.form-page label { display: block; margin: 1.1rem 0 .3rem; font-weight: 600; }
.form-page input { width: 100%; padding: .65rem .8rem; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .5rem; }
.form-page input[type=hidden] { display: none; }
.form-page input[aria-invalid] { border-color: var(--wrong); }
.form-page .code { font: 700 1.5rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .12em; text-align: center; text-transform: uppercase; }
.form-page .shown { margin: 1rem 0; padding: .8rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; }
.form-page .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.6rem 0 1rem; }
.form-page button { flex: 1 1 9rem; min-height: 2.9rem; padding: .55rem 1.2rem; font: inherit; font-weight: 600; color: var(--ink); background: var(--tint); border: 1px solid var(--soft); border-radius: .5rem; cursor: pointer; }
.form-page button:hover { border-color: var(--accent); }
.form-page button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.form-page button.primary:hover { filter: brightness(1.08); }
.form-page .fault { margin: 1rem 0; padding: .7rem .9rem; color: var(--wrong); background: var(--wrong-tint); border: 1px solid var(--wrong); border-radius: .5rem; }
.form-page .scopes { padding: 0; margin: .6rem 0 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; }
.form-page .scopes li { padding: .6rem .9rem; }
.form-page .scopes li + li { border-top: 1px solid var(--line); }
.form-page .scopes small { display: block; color: var(--soft); }
:root { --wrong: #a3261b; --wrong-tint: #fdf1f0; }
@media (prefers-color-scheme: dark) { :root { --wrong: #ff9d92; --wrong-tint: #331b1a; } }
`;
