import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import { Process, type CrashPoint, type Machine } from './process.js';
import type { WorldParts } from './world.js';

type PlaceOptions<Service> = {
  /** Returns the name of the nth process, from 1. */
  readonly nameOf: (nth: number) => string;
  /** The most milliseconds from a crash to the next start. */
  readonly restartWithin: number;
  /** Opens the service of a process, and starts its roles. Calls `onReady` when the service answers clients. */
  readonly open: (process: Process, onReady: (service: Service) => void) => Promise<void>;
};

/** A machine on which the service runs, one process after the other. Whoever runs the service starts it again after each crash. */
export class Place<Service> {
  process: Process | null = null;
  /** The service of the process. Null until it answers. */
  service: Service | null = null;
  private starts = 0;

  constructor(
    readonly machine: Machine,
    private readonly parts: WorldParts,
    private readonly options: PlaceOptions<Service>,
  ) {}

  start(): void {
    const { timeline, story, onFailure } = this.parts;
    const started = new Process(this.options.nameOf(++this.starts), this.machine, timeline);
    this.process = started;
    story.add(started.name, 'starts');
    this.options
      .open(started, (service) => (this.service = service))
      .catch((error: unknown) => {
        story.add(started.name, `could not start: ${String(error)}`);
        if (!(error instanceof StoreUnavailable)) onFailure(error);
        this.crash(started);
      });
  }

  /** Lets the process crash at one of its next calls. */
  crashAt(point: CrashPoint): void {
    const { process } = this;
    process?.crashAt(point, () => this.crash(process));
  }

  private crash(crashed: Process): void {
    if (this.process !== crashed) return;
    const { timeline, random, story } = this.parts;
    // First, so that an end that the process itself reports here is not a second crash.
    this.process = null;
    this.service = null;
    crashed.crash();
    story.add(crashed.name, 'has crashed');
    timeline.after(100 + random.number() * this.options.restartWithin, () => this.start());
  }
}
