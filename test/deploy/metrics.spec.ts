import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openPrometheusMetrics } from '../../libs/adapters/metrics/index.js';
import { ROOT } from '../servers/program.js';
import { parsePrometheusText } from '../servers/prometheus-text.js';
import { dashboardQueries, alertsTestedByAbsence, namesInQuery, readAlerts, readPanels, testedAlerts } from './metrics-files.js';

const families = parsePrometheusText(await openPrometheusMetrics().text());
const names = families.map(({ name }) => name);

/** The names of all series. A histogram has three: `_bucket`, `_sum` and `_count`. */
const series: ReadonlySet<string> = new Set(
  families.flatMap(({ name, type }) => (type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name])),
);

/** Proves contract 25.6. */
describe('the metrics', () => {
  it('are exactly those in docs/operations.md', () => {
    const [, text = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split('\n## Metrics\n');
    const [section = ''] = text.split('\n## ');
    const documented = [...section.matchAll(/^\| `(petstore_\w+)` \| \S/gm)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual(names.toSorted());
  });

  it('have names that begin with petstore_, and a help text', () => {
    expect(families.filter(({ name, help }) => !/^petstore_[a-z\d_]+$/.test(name) || help === '')).toEqual([]);
    expect(names.length).toBeGreaterThan(40);
  });
});

/** Proves contract 25.6. OpenMetrics keeps the end _total for counters. */
it('only counters have names that end in _total', () =>
  expect(families.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]));

describe('the dashboard', () => {
  it('uses only metrics that exist', () => {
    const queries = dashboardQueries();
    expect(queries.filter(({ expr }) => namesInQuery(expr).length === 0)).toEqual([]);
    expect(queries.flatMap(({ expr }) => namesInQuery(expr)).filter((name) => !series.has(name))).toEqual([]);
    expect(queries.length).toBeGreaterThan(25);
  });

  it('shows every metric of the service', () => {
    const shown = dashboardQueries().flatMap(({ expr }) => namesInQuery(expr).map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const own = names.filter((name) => !/^petstore_(process|nodejs)_/.test(name));
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('has a different id for each panel', () => {
    const ids = readPanels().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the alert rules', () => {
  const alerts = readAlerts();
  const alertNames = alerts.map(({ alert }) => alert).sort();

  it('use only metrics that exist', () => {
    expect(alerts.flatMap(({ expr }) => namesInQuery(expr)).filter((name) => !series.has(name))).toEqual([]);
    expect(alerts.length).toBeGreaterThan(10);
  });

  it('have a severity, a summary and a description', () =>
    expect(
      alerts.filter(
        ({ labels, annotations }) =>
          !/^(critical|warning|info)$/.test(labels['severity'] ?? '') || !annotations['summary'] || !annotations['description'],
      ),
    ).toEqual([]));

  it('have a test without any series of theirs, because a series that does not exist yet satisfies no comparison', () =>
    expect(alertNames.filter((name) => !alertsTestedByAbsence().includes(name))).toEqual([]));

  it('have a test in which they fire and one in which they do not', () => {
    const { firing, silent } = testedAlerts();
    expect(firing).toEqual(alertNames);
    expect(silent).toEqual(alertNames);
  });
});
