import { describe, expect, it } from '@jest/globals';
import { parseSettings } from './settings.js';
import { TRACING_DEFAULTS } from './tracing.fixtures.js';

/** Proves contract 25.8. */
describe('the settings of traces', () => {
  it('have the defaults of OpenTelemetry, and no collector', () =>
    expect(parseSettings({})).toMatchObject({ ...TRACING_DEFAULTS, otlpEndpoint: undefined, tracesEndpoint: undefined }));

  it('accept a collector with a path, with or without a slash at its end', () =>
    expect(
      ['http://[::1]:4318', 'http://collector:4318/', 'https://otel.example.com/petstore/'].map(
        (text) => parseSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: text }).otlpEndpoint,
      ),
    ).toEqual(['http://[::1]:4318', 'http://collector:4318', 'https://otel.example.com/petstore']));

  it('reject gRPC by name, because only HTTP is supported', () =>
    expect(() => parseSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": expected one of http/protobuf, http/json',
    ));

  it.each([
    ['0', 0],
    ['0.25', 0.25],
    ['1.0', 1],
  ])('accept the share %s', (text, ratio) => expect(parseSettings({ OTEL_TRACES_SAMPLER_ARG: text }).tracesRatio).toBe(ratio));
});
