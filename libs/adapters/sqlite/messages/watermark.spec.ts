import { describe, expect, it } from '@jest/globals';
import { Watermark } from './watermark.js';

describe('a watermark', () => {
  it('is where reading is when nothing is in hand', () => {
    const watermark = new Watermark(5);
    expect(watermark.low()).toBe(5);
    watermark.readTo(9);
    expect(watermark.low()).toBe(9);
  });

  it('stays before the first message in hand, however many after it are done', () => {
    const watermark = new Watermark(0);
    const [first, second, third] = [watermark.take(3), watermark.take(5), watermark.take(8)];
    watermark.readTo(10);
    watermark.finish(second);
    watermark.finish(third);
    expect(watermark.low()).toBe(2);
    watermark.finish(first);
    expect(watermark.low()).toBe(10);
    expect(watermark.open()).toBe(0);
  });

  it('holds no more than is in hand, also over many messages', () => {
    const watermark = new Watermark(0);
    for (let position = 1; position <= 10_000; position++) {
      watermark.readTo(position);
      watermark.finish(watermark.take(position));
    }
    const last = watermark.take(10_001);
    expect([watermark.low(), watermark.open()]).toEqual([10_000, 1]);
    watermark.finish(last);
    expect(watermark.open()).toBe(0);
  });
});
