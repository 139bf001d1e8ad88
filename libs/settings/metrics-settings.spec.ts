import { describe, expect, it } from '@jest/globals';
import { parseSettings } from './settings.js';

/** Proves contract 25.6. */
describe('the settings of the metrics', () => {
  it('set no port and a loopback host by default', () =>
    expect(parseSettings({})).toMatchObject({ metricsPort: undefined, metricsHost: '127.0.0.1' }));

  it('accept METRICS_HOST only with METRICS_PORT', () => {
    expect(() => parseSettings({ METRICS_HOST: '0.0.0.0' })).toThrow(/METRICS_PORT is missing: .* METRICS_HOST has no effect/);
    expect(parseSettings({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '0' })).toMatchObject({ metricsHost: '0.0.0.0', metricsPort: 0 });
  });

  it('report an invalid METRICS_PORT as invalid, and not also as missing', () =>
    expect(() => parseSettings({ METRICS_HOST: '0.0.0.0', METRICS_PORT: 'http' })).toThrow(
      /^Invalid settings:\n  - METRICS_PORT is "http": [^\n]*$/,
    ));
});
