/** How pages look, in light and dark, on a phone and on a desk. */
export const PETSTORE_CSS = `
:root { --ink: #1c2430; --soft: #5b6675; --paper: #fff; --tint: #f3f5f8; --line: #dfe3e9; --accent: #0b6b5d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #a0abb9; --paper: #14181e; --tint: #1d232b; --line: #323b46; --accent: #6fd3c1; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--accent); }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.bar a { text-decoration: none; }
.bar nav { display: flex; gap: 1.25rem; }
.home { font-weight: 700; color: var(--ink); }
.page { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
.page h1 { font-size: 1.7rem; line-height: 1.25; margin: .5rem 0 1rem; }
.page h2 { font-size: 1.05rem; margin: 1.75rem 0 .35rem; }
.page p { margin: .35rem 0; }
.page code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
.page pre { padding: 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; font-size: .85rem; line-height: 1.5; }
.page table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
.page td, .page th { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
.page th { color: var(--soft); font-weight: 600; font-size: .85rem; }
.status { padding: .1rem .6rem; border-radius: 1rem; background: var(--tint); border: 1px solid var(--line); font-variant-numeric: tabular-nums; color: var(--soft); font-size: .85rem; }
.links { padding: 0; list-style: none; }
.links li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.links small { color: var(--soft); display: block; font-size: .9rem; }
.kinds li { display: flex; justify-content: space-between; align-items: baseline; }
.events h2 { font-size: 1.3rem; margin: 2.75rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.events h3 { font-size: 1rem; margin: 2rem 0 .5rem; }
.events h2 + p, .events h3 + p { margin-top: 0; }
.events p { margin: .6rem 0; }
.contents { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; margin: 1rem 0 0; }
.promises dt { font-weight: 600; margin-top: .8rem; }
.promises dd { margin: .1rem 0 0; }
.quiet { color: var(--soft); }
.wide { overflow-x: auto; }
.wide table { margin: .5rem 0 1rem; }
.fields td:first-child { white-space: nowrap; }
.fields td small { display: block; color: var(--soft); font-size: .75rem; }
.fields td:nth-child(2) { min-width: 7rem; }
.fields td:nth-child(2) code { white-space: nowrap; }
.fields td { font-size: .9rem; line-height: 1.45; }
.message { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
.message summary { display: grid; grid-template-columns: 1fr auto; gap: .1rem 1rem; padding: .6rem .9rem; cursor: pointer; list-style: none; }
.message summary > * { grid-column: 1; }
.message summary::after { content: "+"; grid-column: 2; grid-row: 1 / span 2; align-self: center; color: var(--soft); font-size: 1.1rem; }
.message[open] summary::after { content: "−"; }
.message summary::-webkit-details-marker { display: none; }
.message summary code { color: var(--accent); overflow-wrap: anywhere; }
.message summary span { color: var(--soft); font-size: .9rem; line-height: 1.45; }
.message summary:hover, .message[open] summary { background: var(--tint); }
.message[open] summary { border-bottom: 1px solid var(--line); }
.message > :not(summary) { margin: .6rem .9rem; }
@media (max-width: 640px) {
  .fields thead { display: none; }
  .fields, .fields tbody, .fields tr, .fields td { display: block; width: 100%; }
  .fields tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .fields td { border: 0; padding: 0; white-space: normal; }
  .fields td:nth-child(2) { color: var(--soft); }
  .fields td small { display: inline; margin-left: .5rem; }
}
`;

/** What the reference page's own stylesheet leaves to be mended: it is made for wide screens. */
export const REFERENCE_CSS = `
.swagger-ui .wrapper { max-width: 72rem; }
.swagger-ui .info { margin: 1.5rem 0; }
@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .scheme-container .schemes.wrapper { padding: 0 .75rem; }
  .swagger-ui .wrapper .block { padding: 0; }
  .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-section-header { padding: .5rem; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4.2rem; padding: .4rem 0; font-size: .75rem; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; font-size: .85rem; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui .opblock-description-wrapper, .swagger-ui .responses-inner, .swagger-ui .parameters-container .table-container { padding: .5rem; }
  .swagger-ui .responses-table, .swagger-ui .responses-table > tbody, .swagger-ui .responses-table > tbody > tr, .swagger-ui .responses-table > tbody > tr > td { display: block; width: 100%; }
  .swagger-ui .responses-table > thead, .swagger-ui .response-col_links { display: none !important; }
  .swagger-ui table.headers td { padding: .25rem .5rem .25rem 0; }
}
`;
