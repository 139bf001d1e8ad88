import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DEPLOY } from './deploy-files.js';

const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** A panel of the dashboard. A panel that is only the heading of a row has no queries. */
export type Panel = { readonly id: number; readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

/** An alert rule. */
export type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

/** The folder with the rules and their tests. */
export const PROMETHEUS = join(DEPLOY, 'prometheus');

/** Reads the panels of the dashboard. */
export const readPanels = (): readonly Panel[] =>
  (JSON.parse(read('grafana/petstore.json')) as { readonly panels: readonly Panel[] }).panels;

/** Returns the queries of the dashboard, each with the title of its panel. */
export const dashboardQueries = (): readonly { readonly title: string; readonly expr: string }[] =>
  readPanels().flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** Reads the alert rules. */
export const readAlerts = (): readonly Alert[] =>
  (parse(read('prometheus/alerts.yml')) as { readonly groups: readonly { readonly rules: readonly Alert[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );

type AlertTest = { readonly alertname: string; readonly exp_alerts: readonly object[] };

/** Returns the names of the alerts that a rule test expects to fire, and of the alerts that one expects not to fire. */
export const testedAlerts = (): { readonly firing: readonly string[]; readonly silent: readonly string[] } => {
  const { tests } = parse(read('prometheus/alerts.test.yml')) as { tests: readonly { alert_rule_test: readonly AlertTest[] }[] };
  const all = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const namesOf = (some: readonly AlertTest[]): readonly string[] => [...new Set(some.map(({ alertname }) => alertname))].sort();
  return {
    firing: namesOf(all.filter((one) => one.exp_alerts.length > 0)),
    silent: namesOf(all.filter((one) => one.exp_alerts.length === 0)),
  };
};

/** Returns the names of the alerts that a rule test evaluates while none of the metrics in their queries has a series. */
export const alertsTestedByAbsence = (): readonly string[] => {
  const { tests } = parse(read('prometheus/alerts.test.yml')) as {
    tests: readonly { input_series: readonly { series: string }[]; alert_rule_test: readonly AlertTest[] }[];
  };
  const metricsOf = new Map(readAlerts().map(({ alert, expr }) => [alert, expr.match(/\b(?:petstore_\w+|up\b)/g) ?? []]));
  return tests.flatMap(({ input_series: series, alert_rule_test: tested }) =>
    tested
      .map(({ alertname }) => alertname)
      .filter((name) => !metricsOf.get(name)?.some((metric) => series.some((given) => given.series.startsWith(metric)))),
  );
};

/** Returns the names of metrics in a query. */
export const namesInQuery = (query: string): readonly string[] => [...query.matchAll(/\bpetstore_\w+/g)].map(([name]) => name);
