/**
 * The shapes of the responses that the console reads, with the members that it uses. Times are in ISO 8601. The schemas are in
 * `/openapi.json`; the page must not import them, because the classes behind them bring the whole api along.
 */

/** A problem (RFC 9457). `type` is the address of the page about its kind; absent if no response came. */
export type Problem = {
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly type?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

export type Server = { readonly status: 'up' } | { readonly status: 'down'; readonly since: string; readonly waiting: string };

export type Process = {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly servers: Readonly<Record<string, Server>>;
  readonly consumers: Readonly<Record<string, { readonly behind: number | null; readonly parked: number }>> | null;
};

export type StuckKind = { readonly kind: string; readonly count: number; readonly oldest: string };

export type StuckItem = {
  readonly kind: string;
  readonly tenant: string;
  readonly since: string;
  readonly stream: string;
  readonly related: readonly string[];
  readonly cause: string;
  readonly why: string;
  readonly helps: string;
  readonly deliveryId?: string;
  readonly webhookId?: string;
};

export type StuckList = {
  readonly count: number;
  readonly isComplete: boolean;
  readonly kinds: readonly StuckKind[];
  readonly items: readonly StuckItem[];
};

export type ParkedCount = { readonly kind: string; readonly name: string; readonly cause: string; readonly count: number };

export type ParkedItem = {
  readonly stream: string;
  readonly revision: number;
  readonly error: string;
  readonly eventType?: string;
  readonly eventTime?: string;
  readonly parkedAt?: string;
  readonly deliveryId?: string;
  readonly webhookId?: string;
  readonly orderId?: string;
};

export type ParkedList = {
  readonly count: number;
  readonly isComplete: boolean;
  readonly causes: readonly (ParkedCount & { readonly items: readonly ParkedItem[] })[];
};

/** What a retry chooses: one stream or key of a reader, everything of a cause, or everything. */
export type RetryChoice = { readonly name: string; readonly stream: string } | { readonly cause: string } | { readonly all: true };

export type RetryResult = {
  readonly name: string;
  readonly stream: string;
  readonly outcome: 'released' | 'parked' | 'sent' | 'waiting' | 'unknown';
  readonly error?: string;
  readonly deliveryId?: string;
};

export type SkipResult = Pick<RetryResult, 'name' | 'stream' | 'outcome' | 'error'> & { readonly revision: number };

export type SkippedEvent = {
  readonly name: string;
  readonly stream: string;
  readonly revision: number;
  readonly since: string;
  readonly by: string;
  readonly reason: string;
};

export type Fill = {
  readonly state: 'filling' | 'held' | 'differs';
  readonly since: string;
  readonly by: string;
  readonly hold: boolean;
  readonly difference?: string;
  readonly position: number | null;
};

export type ProjectionState = {
  readonly name: string;
  readonly version: number;
  readonly status: 'running' | 'filling' | 'paused';
  readonly position: number;
  readonly behind: number | null;
  readonly behindSeconds: number | null;
  readonly secondsLeft: number | null;
  readonly eventsPerSecond: number | null;
  readonly lastError?: { readonly error: string; readonly at?: string };
  readonly owner: string | null;
  readonly parked: number;
  readonly pause?: { readonly since: string; readonly by: string; readonly reason?: string };
  readonly fill?: Fill;
  readonly keptUntil?: string;
  /** What is kept until then: what a rebuild has replaced, or the rebuild after somebody went back. */
  readonly kept?: 'replaced' | 'fill';
  readonly stoppedByPause: readonly string[];
  /** The entity tag of what operators have decided about it. */
  readonly etag: string;
};

export type AuditFault = {
  readonly kind: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly range?: { readonly from: number; readonly to: number };
  readonly reason: string;
  readonly remedy: string;
};

export type StoreHealth = {
  readonly version: string;
  readonly audit: {
    readonly state: 'unverified' | 'whole' | 'altered';
    readonly verifiedPosition?: number;
    readonly verifiedAt?: string;
    readonly unverifiedCount: number;
    readonly endedAt?: string;
    readonly faultCount: number;
    readonly faults: readonly AuditFault[];
  };
  readonly brokenStreamCount: number;
  readonly brokenStreams: readonly {
    readonly stream: string;
    readonly revision: number;
    readonly kind: string;
    readonly reason: string;
  }[];
};

type Counts = Readonly<Record<string, number>>;

/** The state of the whole service. A member is null if it is unknown at the moment, for example because a server is away. */
export type ServiceState = {
  readonly at: string;
  readonly processes: readonly Process[];
  readonly orders: Counts | null;
  readonly payments: Counts | null;
  readonly deliveries: Counts | null;
  readonly stuck: readonly StuckKind[] | null;
  readonly parked: { readonly count: number; readonly isComplete: boolean; readonly causes: readonly ParkedCount[] } | null;
  readonly projections: readonly ProjectionState[] | null;
  readonly health: StoreHealth | null;
};

/** A measure, of which each process has a value every 10 seconds. */
export type Measure = 'requests' | 'errors' | 'slow' | 'delivered' | 'failed' | 'lag' | 'cpu' | 'memory';

export type ProcessSamples = {
  readonly id: string;
  readonly every: number;
  /** The time of the last value of each list. */
  readonly end: string;
  readonly values: Readonly<Record<Measure, readonly (number | null)[]>>;
};

export type AppendedEvent = {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly time: string;
  readonly actor: string;
  readonly actorName?: string;
  readonly tenant: string;
  readonly requestId?: string;
  readonly correlationId: string;
  readonly causationId: string;
};

export type Change = { readonly field: string; readonly from?: unknown; readonly to?: unknown };

export type AuditedEvent = AppendedEvent & {
  readonly data: unknown;
  readonly skippedBy?: readonly string[];
  readonly changes?: readonly Change[];
};

export type Pagination = { readonly page: number; readonly limit: number; readonly totalItems: number; readonly totalPages: number };

export type StreamHistory = { readonly data: readonly AuditedEvent[]; readonly pagination: Pagination };

export type AuditedState = {
  readonly stream: string;
  readonly revision: number;
  readonly time: string;
  readonly state: Readonly<Record<string, unknown>>;
};

export type LogPage<Event> = { readonly data: readonly Event[]; readonly next: string | null };

export type Consequence = AuditedEvent & {
  readonly message: Readonly<Record<string, string>> | null;
  readonly deliveries: readonly {
    readonly id: string;
    readonly eventType: string;
    readonly webhookId?: string;
    readonly orderId?: string;
    readonly status: string;
    readonly attempts: number;
    readonly createdAt: string;
  }[];
};

export type Delivery = {
  readonly id: string;
  readonly tenant: string;
  readonly webhookId?: string;
  readonly orderId?: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly stream: string;
  readonly revision: number;
  readonly status: string;
  readonly parkedBecause?: string;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly url: string;
    readonly durationMilliseconds: number;
    readonly status?: number;
    readonly fault?: string;
  }[];
};

export type Found =
  | { readonly kind: 'stream'; readonly stream: string; readonly by: FoundBy; readonly tenant: string }
  | { readonly kind: 'request'; readonly requestId: string; readonly tenant: string };

export type FoundBy = 'stream' | 'id' | 'event' | 'delivery' | 'number' | 'name' | 'username' | 'email';

export type SignedCheckpoint = {
  readonly checkpoint: {
    readonly index: number;
    readonly size: number;
    readonly root: string;
    readonly time: string;
    readonly keyId: string;
  };
  readonly signature: string;
};

export type CheckpointPage = { readonly data: readonly SignedCheckpoint[]; readonly pagination: Pagination };

export type PublicKeys = {
  readonly keys: readonly { readonly kty: string; readonly crv: string; readonly x: string; readonly kid: string }[];
};

/** A page of a list. */
export type Collection<Item> = { readonly data: readonly Item[]; readonly pagination: Pagination };

export type Account = {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly staff: boolean;
  readonly disabled: boolean;
};

export type AccountSession = {
  readonly id: string;
  readonly clientId?: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly current: boolean;
};

export type Client = {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly device: boolean;
  readonly confidential: boolean;
  readonly implicit: boolean;
  readonly program: boolean;
  readonly scopes: readonly string[];
  readonly createdAt: string;
};

/** A client with a secret that only this response shows; absent of a public client, and of a replayed response if it has ended. */
export type ClientWithSecret = Client & { readonly secret?: string; readonly formerSecretValidUntil?: string };

export type ServiceKey = {
  readonly id: string;
  readonly kind: string;
  readonly createdAt?: string;
  readonly activatesAt?: string;
  readonly status: string;
};

/** An export of the log that can be read. */
export type BegunExport = {
  readonly id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly tenant: string | null;
  readonly stream: string | null;
  readonly events: number;
  readonly cover: { readonly index: number; readonly size: number; readonly time: string };
};
