/** The stylesheet of all pages. */
export const PETSTORE_CSS = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566170; --paper: #fff; --tint: #f4f6f8; --line: #dde2e8; --accent: #0b6b5d; --on-accent: #fff; --mark: #e3f2ef; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #a4afbd; --paper: #14181e; --tint: #1c222a; --line: #333c47; --accent: #6fd3c1; --on-accent: #10231f; --mark: #1b322f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.page { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
main.page { padding-top: 2rem; padding-bottom: 5rem; }
.bar { border-bottom: 1px solid var(--line); }
.bar .page { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem; padding-top: .5rem; padding-bottom: .5rem; }
.bar a { display: inline-flex; align-items: center; gap: .55rem; padding: .35rem 0; color: var(--soft); text-decoration: none; }
.bar a:hover, .bar a[aria-current] { color: var(--ink); }
.bar a[aria-current] { box-shadow: 0 2px 0 var(--accent); }
.bar nav { display: flex; gap: 1.25rem; }
.bar .home { font-weight: 700; color: var(--ink); }

main h1 { font-size: clamp(1.7rem, 1.3rem + 1.6vw, 2.25rem); line-height: 1.2; letter-spacing: -.01em; margin: 0 0 .75rem; }
main h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; }
main h3 { font-size: 1.05rem; line-height: 1.4; margin: 1.75rem 0 .4rem; }
main p { margin: .6rem 0; max-width: 46rem; }
main .lead { font-size: 1.1rem; color: var(--soft); margin: 0 0 1.5rem; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
.copyable { position: relative; margin: .6rem 0 1rem; max-width: 52rem; }
.copyable pre { margin: 0; padding: .9rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; font-size: .875rem; line-height: 1.55; }
.copyable code { overflow-wrap: normal; font-size: inherit; }
.copyable button { position: absolute; top: .45rem; right: .45rem; padding: .2rem .6rem; font: inherit; font-size: .8rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: .35rem; cursor: pointer; }
.copyable button:hover { border-color: var(--accent); color: var(--accent); }
.copyable:has(button) pre { padding-right: 5.5rem; }
.status { display: inline-block; padding: 0 .55rem; border-radius: 1rem; background: var(--tint); border: 1px solid var(--line); font-variant-numeric: tabular-nums; color: var(--soft); font-size: .85rem; }
.crumbs { display: flex; gap: .75rem; align-items: center; margin: 0 0 .5rem; }
.quiet { color: var(--soft); }

.rows { border-collapse: collapse; width: 100%; margin: .75rem 0 1.5rem; }
.rows td, .rows th { text-align: left; vertical-align: top; padding: .5rem 1.25rem .5rem 0; border-bottom: 1px solid var(--line); }
.rows th { color: var(--soft); font-weight: 600; font-size: .85rem; }
.kinds td:nth-child(2) { min-width: 13rem; }
.kinds td:nth-child(3) { color: var(--soft); }
.fields td { font-size: .9rem; line-height: 1.5; }
.fields td:first-child { min-width: 12rem; }
.fields td small { display: block; color: var(--soft); font-size: .8rem; }
.fields td:nth-child(2) { min-width: 10.5rem; }
.codes code { white-space: nowrap; }

.links { padding: 0; list-style: none; max-width: 46rem; }
.links li { padding: .6rem 0; border-bottom: 1px solid var(--line); }
.links small { color: var(--soft); display: block; font-size: .9rem; }
.operations { padding: 0; margin: .75rem 0; list-style: none; }
.operations li { display: flex; gap: .1rem 1.5rem; justify-content: space-between; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.operations span:last-child { color: var(--soft); }
.operations .method { display: inline-block; min-width: 4.5rem; font-size: .8rem; font-weight: 700; }

.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; padding: 0; margin: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: 1.1rem 1.25rem; color: var(--ink); text-decoration: none; background: var(--tint); border: 1px solid var(--line); border-radius: .6rem; }
.cards a:hover { border-color: var(--accent); background: var(--mark); }
.cards strong { display: block; color: var(--accent); font-size: 1.05rem; margin-bottom: .2rem; }
.cards strong::after { content: " →" / ""; }
.cards span { color: var(--soft); line-height: 1.45; display: block; }
.steps { padding: 0; margin: 0; list-style: none; counter-reset: step; }
.steps li { position: relative; padding-left: 2.6rem; margin-bottom: 1.5rem; counter-increment: step; }
.steps li::before { content: counter(step); position: absolute; left: 0; top: .05rem; width: 1.7rem; height: 1.7rem; line-height: 1.7rem; border-radius: 50%; text-align: center; font-size: .9rem; font-weight: 700; background: var(--accent); color: var(--on-accent); }
.steps h3 { margin: 0; }
.steps p { margin: .1rem 0 .5rem; }
.files { padding: 0; list-style: none; }
.files li { display: grid; grid-template-columns: 10rem 1fr; padding: .25rem 0; }

.events { display: grid; grid-template-columns: minmax(0, 1fr); }
.events section > h2 { padding-top: 1.5rem; border-top: 1px solid var(--line); }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents a { display: block; padding: .15rem 0; text-decoration: none; overflow-wrap: anywhere; }
.contents a:hover { text-decoration: underline; }
.guarantees { max-width: 46rem; margin: 0; }
.guarantees dt { font-weight: 600; margin-top: .8rem; }
.guarantees dd { margin: .1rem 0 0; }
.message { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
.message summary { display: grid; grid-template-columns: 1fr auto; gap: .1rem 1rem; padding: .6rem .9rem; cursor: pointer; list-style: none; border-radius: .5rem; }
.message summary > * { grid-column: 1; }
.message summary::after { content: "+" / ""; grid-column: 2; grid-row: 1 / span 2; align-self: center; color: var(--soft); font-size: 1.1rem; }
.message[open] summary::after { content: "−" / ""; }
.message summary::-webkit-details-marker { display: none; }
.message summary code { color: var(--accent); }
.message summary span { color: var(--soft); font-size: .9rem; line-height: 1.45; }
.message summary:hover, .message[open] summary { background: var(--tint); }
.message[open] summary { border-bottom: 1px solid var(--line); border-radius: .5rem .5rem 0 0; }
.message:target { border-color: var(--accent); }
.message > :not(summary) { margin: .75rem .9rem; }
.message > .rows { width: calc(100% - 1.8rem); }

@media (min-width: 60rem) {
  .events { grid-template-columns: 15rem minmax(0, 1fr); column-gap: 3rem; }
  .events .intro { grid-column: 1 / -1; }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem .5rem 2rem 0; font-size: .9rem; }
  .contents > ul > li { margin-bottom: .6rem; }
  .contents > ul > li > a { font-weight: 600; color: var(--ink); }
  .contents ul ul { padding-left: .75rem; border-left: 1px solid var(--line); }
  .events .parts > section:first-child > h2 { margin-top: 0; padding-top: 1rem; border-top: 0; }
}
@media (max-width: 59.99rem) {
  .contents { padding: .75rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; }
  .contents > ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0 1rem; }
  .contents ul ul { display: none; }
  .contents a { padding: .35rem 0; }
}
@media (max-width: 40rem) {
  main.page { padding-top: 1.25rem; }
  .bar nav { gap: 1.1rem; }
  .copyable pre, .copyable:has(button) pre { padding: .75rem .9rem; font-size: .8rem; }
  .copyable button { position: static; display: block; margin: .4rem 0 0 auto; padding: .35rem .9rem; }
  .steps .copyable { margin-left: -2.6rem; }
  .operations li { flex-direction: column; }
  .codes thead { display: none; }
  .codes, .codes tbody, .codes tr, .codes td { display: block; width: 100%; }
  .codes tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .codes td { border: 0; padding: 0; }
  .kinds thead, .fields thead { display: none; }
  .kinds, .kinds tbody, .kinds tr, .kinds td, .fields, .fields tbody, .fields tr, .fields td { display: block; width: 100%; }
  .kinds tr, .fields tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .kinds td, .fields td { border: 0; padding: 0; }
  .kinds tr { display: grid; grid-template-columns: 3.5rem 1fr; }
  .kinds td:nth-child(3) { grid-column: 2; font-size: .95rem; line-height: 1.5; }
  .kinds td:nth-child(2) { font-weight: 600; }
  .fields td:nth-child(2) { color: var(--soft); }
  .fields td small { display: inline; margin-left: .5rem; }
}
`;
