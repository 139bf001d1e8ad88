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
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .35rem; }
p { margin: .35rem 0; }
.status { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; background: var(--tint); border: 1px solid var(--line); font-variant-numeric: tabular-nums; color: var(--soft); font-size: .9rem; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
pre { padding: 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; font-size: .85rem; line-height: 1.5; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
td, th { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .85rem; }
ul.links { padding: 0; list-style: none; }
ul.links li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
ul.links span { color: var(--soft); display: block; font-size: .9rem; }
`;

/** What the reference page's own stylesheet leaves to be mended: it knows no dark colours, and phones are narrow. */
export const REFERENCE_CSS = `
:root { color-scheme: light; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --tint: #f3f5f8; --line: #dfe3e9; --accent: #0b6b5d; }
body { background: #fff; color: #1c2430; }
.swagger-ui .wrapper { max-width: 72rem; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title { color: #1c2430; }
.swagger-ui .opblock.opblock-query { border-color: #6a4fb6; background: rgba(106, 79, 182, .08); }
.swagger-ui .opblock.opblock-query .opblock-summary { border-color: #6a4fb6; }
.swagger-ui .opblock.opblock-query .opblock-summary-method { background: #6a4fb6; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .75rem; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4rem; padding: .35rem 0; font-size: .75rem; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; font-size: .85rem; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-description { display: none; }
  .swagger-ui .scheme-container { padding: .75rem 0; }
  .swagger-ui table { display: block; overflow-x: auto; }
}
`;
