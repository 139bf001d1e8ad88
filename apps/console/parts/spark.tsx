import type { Line } from '../samples.js';

const [WIDTH, HEIGHT] = [80, 18];

/** Returns the points of a line in a small drawing. Gaps are left out. */
const pointsOf = ({ values }: Line): string => {
  const largest = Math.max(1, ...values.map((value) => value ?? 0));
  return values
    .flatMap((value, index) =>
      value === null
        ? []
        : [
            `${((index / Math.max(1, values.length - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 1 - (value / largest) * (HEIGHT - 2)).toFixed(1)}`,
          ],
    )
    .join(' ');
};

/** The course of the last hour beside a number, which says the same for those who do not see it. */
export const Spark = ({ line }: { readonly line: Line }) => (
  <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
    <polyline points={pointsOf(line)} fill="none" stroke="currentColor" stroke-width="1.25" />
  </svg>
);
