import { describe, expect, it } from '@jest/globals';
import { parsePrometheusText, samplesOf, seriesOf } from './prometheus-text.js';

/** Based on the example in the description of the format. */
const EXAMPLE = `# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3
# Escaping in label values:
# TYPE msdos_file_access_time_seconds untyped
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320
`.replaceAll('    3', ' 3');

describe('the parser of the text format', () => {
  it('reads the names, types, labels and values of the example', () => {
    const families = parsePrometheusText(EXAMPLE);
    expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
      ['http_requests_total', 'counter', 2],
      ['msdos_file_access_time_seconds', 'untyped', 1],
      ['http_request_duration_seconds', 'histogram', 4],
    ]);
    expect(families[0]?.help).toBe('The total number of HTTP requests.');
    expect(families[1]?.samples[0]?.labels).toEqual({ path: 'C:\\DIR\\FILE.TXT', error: 'Cannot find file:\n"FILE.TXT"' });
    expect(samplesOf(families, 'http_request_duration_seconds_bucket').map((sample) => [seriesOf(sample), sample.value])).toEqual([
      ['http_request_duration_seconds_bucket{le="0.05"}', 24_054],
      ['http_request_duration_seconds_bucket{le="+Inf"}', 144_320],
    ]);
  });

  it.each([
    ['a value that is not a number', '# TYPE a gauge\na many\n'],
    ['a label without quotes', '# TYPE a gauge\na{b=c} 1\n'],
    ['a newline in a label', '# TYPE a gauge\na{b="c\nd"} 1\n'],
    ['an unknown type', '# TYPE a number\na 1\n'],
    ['a type that is there twice', '# TYPE a gauge\na 1\n# TYPE a gauge\n'],
    ['a series that is there twice', '# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n'],
    ['a value of another family', '# TYPE a gauge\nb 1\n'],
    ['a value without a type', 'a 1\n'],
    ['no newline at the end', '# TYPE a gauge\na 1'],
  ])('rejects %s', (_, text) => expect(() => parsePrometheusText(text)).toThrow());
});
