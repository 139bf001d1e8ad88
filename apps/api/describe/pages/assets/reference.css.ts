/** The stylesheet of the reference page. Gives Swagger UI the colors of the other pages and a layout for phones. */
export const REFERENCE_CSS = `
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.reference { --get: #1f6aa8; --post: #0b7446; --put: #8f5600; --delete: #bb2b2b; --query: #77409c; }
nav.tabs { display: flex; gap: 1.5rem; border-bottom: 1px solid var(--line); margin: 0 0 1.5rem; }
nav.tabs a { padding: .4rem 0 .6rem; margin-bottom: -1px; border-bottom: 2px solid transparent; color: var(--soft); text-decoration: none; }
nav.tabs a:hover { color: var(--ink); }
nav.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
#reference { font: inherit; }
#reference .swagger-ui { font: inherit; color: var(--ink); }
#reference :is(p, td, th, label, h2, h3, h4, h5, li, small, span, div, em, i, b, a, input, select, textarea, button, section, dt, dd) { color: inherit; }
#reference .swagger-ui { background: none; }
#reference .swagger-ui :not(pre, pre *, code) { font-family: inherit; }
#reference .swagger-ui :is(.opblock-summary-path, .opblock-summary-path__deprecated, .parameter__name, .parameter__type, .parameter__in, .model, .model *, .prop-format, .response-col_status) { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
#reference .swagger-ui h4.opblock-title { font-family: inherit; }
#reference .renderedMarkdown p { font-size: 1rem; line-height: 1.6; margin: .6rem 0; max-width: 46rem; }
#reference .renderedMarkdown code { color: inherit; background: var(--tint); border: 1px solid var(--line); padding: .05rem .3rem; font-weight: 400; font-size: .85em; }
#reference .renderedMarkdown a { color: var(--accent); }
#reference :is(input, select, textarea) { background-color: var(--paper); border: 1px solid var(--soft); border-radius: .35rem; color: var(--ink); }
#reference ::placeholder { color: var(--soft); opacity: 1; }

#reference .toolbar { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; justify-content: space-between; margin: 1.5rem 0 1rem; }
#reference .operation-filter-input { flex: 1 1 14rem; max-width: 26rem; margin: 0; padding: .5rem .75rem; font-size: 1rem; }
#reference .auth-wrapper { flex: none; justify-content: flex-end; }
#reference .btn { border-color: var(--soft); box-shadow: none; background: var(--paper); border-radius: .35rem; }
#reference .btn.authorize, #reference .btn.try-out__btn { border-color: var(--accent); color: var(--accent); padding: .45rem 1rem; line-height: 1.4; margin: 0; }
#reference .btn.authorize span { padding: 0 1.25rem 0 0; float: left; }
#reference .btn.authorize svg { fill: currentcolor; }
#reference .btn.authorize svg path { fill: inherit; }
#reference .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
#reference .authorization__btn svg { fill: var(--soft); opacity: 1; }

#reference .opblock-tag { border-bottom: 1px solid var(--line); padding: .75rem 0; margin: 1rem 0 .5rem; font-size: 1.3rem; gap: 0 1rem; }
#reference .opblock-tag:hover { background: none; }
#reference .opblock-tag small { padding: 0; font-size: 1rem; color: var(--soft); }
#reference .opblock-tag small .renderedMarkdown p { margin: 0; color: var(--soft); }
#reference .opblock-tag > div { padding: 0; flex: 1 1 14rem; overflow: visible; }
#reference .webhooks h2, #reference .webhooks > h2 { font-size: 1.3rem; margin: 2rem 0 .75rem; }
#reference .opblock { margin: 0 0 .5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; box-shadow: none; --method: var(--soft); }
#reference .opblock.is-open { border-color: var(--method); }
#reference .opblock-get { --method: var(--get); }
#reference .opblock-post { --method: var(--post); }
#reference .opblock-put { --method: var(--put); }
#reference .opblock-delete { --method: var(--delete); }
#reference .opblock-query { --method: var(--query); }
#reference .opblock .opblock-summary { border: 0; padding: .35rem .5rem; }
#reference .opblock .opblock-summary:hover { background: var(--tint); border-radius: .5rem; }
#reference .opblock .opblock-summary-method { background: var(--method); color: #fff; min-width: 5rem; padding: .3rem 0; border-radius: .3rem; font-size: .8rem; text-shadow: none; }
#reference .opblock .opblock-summary-path { font-size: .9rem; max-width: none; overflow-wrap: anywhere; }
#reference .opblock .opblock-summary-description { color: var(--soft); font-size: .95rem; }
#reference .opblock .opblock-section-header { background: var(--tint); box-shadow: none; border-block: 1px solid var(--line); min-height: 0; padding: .5rem 1.25rem; }
#reference .opblock .opblock-section-header h4 { font-size: 1rem; }
#reference .tab-header .tab-item.active h4 span::after { background: var(--method); }
#reference .opblock-description-wrapper p { font-size: 1rem; }
#reference table thead tr :is(td, th) { border-bottom: 1px solid var(--line); font-size: .85rem; font-weight: 600; color: var(--soft); }
#reference :is(.parameters-col_description, .response-col_description) { font-size: .95rem; }
#reference .parameter__name { font-size: .95rem; }
#reference :is(.parameter__type, .parameter__in) { font-weight: 400; }
#reference table.headers :is(td, .header-col, .renderedMarkdown p) { font-size: .9rem; font-weight: 400; margin: 0; }
#reference table.headers tr td { padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
#reference .parameter__name.required::after, #reference .parameter__name.required span { color: var(--delete); }
.dark-mode #reference .parameter__name.required::after, .dark-mode #reference .parameter__name.required span { color: #ff9c9c; }
#reference :is(.parameter__type, .parameter__in, .parameter__extension, .prop-format, .response-control-media-type__accept-message) { color: var(--soft); }
#reference .tab li button.tablinks { color: inherit; }
#reference .swagger-ui .response-col_links { display: none !important; }
#reference .response-col_status { min-width: 5rem; font-size: .95rem; }
#reference .renderedMarkdown table { border-collapse: collapse; margin: 0; width: 100%; }
#reference .renderedMarkdown :is(td, th) { padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; text-align: left; font-size: .9rem; line-height: 1.5; min-width: 0; width: auto; }
#reference .renderedMarkdown td:nth-child(2) { min-width: 9rem; }
#reference .renderedMarkdown tbody td:first-child { padding-left: 0; max-width: none; }
#reference section.models { border: 1px solid var(--line); border-radius: .5rem; margin: 2rem 0 0; }
#reference section.models h4 { border-color: var(--line); }
#reference section.models .model-container { background: var(--tint); }
#reference .model-box { background: var(--tint); }
#reference svg.arrow, #reference .opblock-control-arrow svg, #reference .models-control svg { fill: currentcolor; }

#reference .dialog-ux .modal-ux { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; width: min(36rem, calc(100vw - 2rem)); min-width: 0; max-width: none; }
#reference .dialog-ux .modal-ux-header { border-color: var(--line); }
#reference .dialog-ux .modal-ux-content :is(p, h4, label) { color: inherit; }
#reference .dialog-ux .auth-container input { width: 100%; min-width: 100%; }
#reference .dialog-ux :is(.scope-def, .scope-def + div > div > p, .wrapper:has(> [for^=client_])) { display: none; }
#reference .dialog-ux .scopes h2 a { color: var(--accent); }
#reference .auth-btn-wrapper { gap: .75rem; }
#reference .btn.modal-btn { color: var(--ink); }
#reference .btn.modal-btn.authorize { color: var(--accent); }

@media (max-width: 40rem) {
  #reference .opblock-tag { flex-wrap: wrap; }
  #reference .opblock-tag small { flex: 1 1 100%; order: 1; }
  #reference .opblock .opblock-summary-control { align-items: flex-start; }
  #reference .opblock .opblock-summary-method { min-width: 4.2rem; font-size: .75rem; }
  #reference .opblock .opblock-summary-path-description-wrapper { flex-direction: column; align-items: flex-start; gap: .1rem; padding: 0 0 0 .6rem; }
  #reference .opblock .opblock-summary-path { padding: 0; font-size: .85rem; text-align: left; }
  #reference .opblock .opblock-summary-description { text-align: left; font-size: .9rem; }
  #reference .opblock .opblock-section-header { padding: .5rem .75rem; }
  #reference :is(.opblock-description-wrapper, .responses-inner, .parameters-container .table-container, .opblock-section-request-body) { padding: .75rem; }
  #reference :is(.parameters, .responses-table), #reference :is(.parameters, .responses-table) > tbody, #reference :is(.parameters, .responses-table) > tbody > tr, #reference :is(.parameters, .responses-table) > tbody > tr > td { display: block; width: 100%; min-width: 0; padding-left: 0; padding-right: 0; }
  #reference :is(.parameters, .responses-table) > thead { display: none; }
  #reference .parameters-col_description :is(input, select, textarea) { width: 100%; max-width: none; }
  #reference table.headers td { padding: .25rem .5rem .25rem 0; }
  #reference .renderedMarkdown :is(table, tbody, tr) { display: block; }
  #reference .renderedMarkdown thead { display: none; }
  #reference .renderedMarkdown tr { display: grid; grid-template-columns: 3rem 1fr; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  #reference .renderedMarkdown td { border: 0; padding: 0; }
  #reference .renderedMarkdown td:nth-child(3) { grid-column: 2; color: var(--soft); }
}
`;
