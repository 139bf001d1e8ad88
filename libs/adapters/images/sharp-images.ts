import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { ImageFault, ImageProcessor, NormalizedImage, Rendition, RenditionRequest } from '../../ports/image-processor.port.js';
import { ImageQueue } from './image-queue.js';
import { ImageWorker } from './image-worker.js';
import { mediaTypeOf } from './media-types.js';

/** The largest width and height of a WebP image, in pixels (contract 37.5). */
const MAX_WEBP_SIDE = 16_383;
/** The maximum size of all cached renditions. */
const CACHED_BYTES = 64 * 1_048_576;

/**
 * Creates a processor that uses sharp. It processes one image at a time, because each image needs up to 750 MB of memory
 * while it is processed. Recent renditions are cached.
 */
export const sharpImages = (clock: Pick<Clock, 'after'>): ImageProcessor => {
  const worker = new ImageWorker(clock);
  const queue = new ImageQueue();
  const cache = new LRUCache<string, Rendition>({ maxSize: CACHED_BYTES, sizeCalculation: ({ bytes }) => Math.max(1, bytes.length) });
  const running = new Map<string, Promise<Rendition>>();
  return {
    normalize: (file) => queue.run('upload', () => normalize(worker, file)),
    async rendition(request, read) {
      const key = `${request.key} ${request.width} ${request.mediaType}`;
      const cached = cache.get(key);
      if (cached) return cached;
      // Concurrent requests for the same rendition share one call.
      const render = async (): Promise<Rendition> => renderWith(worker, await read(), request);
      const started = running.get(key) ?? queue.run('read', render).finally(() => running.delete(key));
      running.set(key, started);
      const rendition = await started;
      cache.set(key, rendition);
      return rendition;
    },
  };
};

const normalize = async (worker: ImageWorker, file: Uint8Array): Promise<NormalizedImage | { readonly fault: ImageFault }> => {
  const mediaType = mediaTypeOf(file);
  if (mediaType === null) return { fault: 'not_an_image' };
  const answer = await worker.run(file, { mediaType });
  if (answer.kind === 'fault') return { fault: answer.fault };
  return { bytes: answer.image, mediaType, width: answer.width, height: answer.height };
};

const renderWith = async (worker: ImageWorker, image: Uint8Array, { width, mediaType }: RenditionRequest): Promise<Rendition> => {
  // Without a width, the image is reduced only if it is too large for WebP (contract 37.5).
  const fit = width === null ? { width: MAX_WEBP_SIDE, height: MAX_WEBP_SIDE } : { width };
  const answer = await worker.run(image, { mediaType, fit });
  if (answer.kind === 'fault') throw new Error(`a stored image cannot be decoded: ${answer.reason}`);
  return { bytes: answer.image, digest: createHash('sha256').update(answer.image).digest('base64url') };
};
