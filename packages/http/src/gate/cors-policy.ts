/**
 * Sharing with pages of other sites (`http.cors.*`): which may ask, and what their browsers are told about it.
 */

type Header = readonly [name: string, value: string];

export interface CorsOptions {
  /** null: every origin. */
  readonly allowsOrigin: ((origin: string) => boolean) | null;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly allowsCredentials: boolean;
  /** How long a browser may remember the answer to a preflight. */
  readonly maxAgeSeconds: number;
}

/** Origins that are compared at all: a name of the DNS with scheme and port is shorter. */
const ORIGIN_CHARS_MAX = 512;

export class CorsPolicy {
  readonly #options: CorsOptions;
  readonly #exposed: readonly Header[];
  readonly #preflight: readonly Header[];

  constructor(options: CorsOptions) {
    this.#options = options;
    const { allowsCredentials, exposedHeaders } = options;
    const credentials: readonly Header[] = allowsCredentials ? [['access-control-allow-credentials', 'true']] : [];
    this.#exposed = [...credentials, ...listHeader('access-control-expose-headers', exposedHeaders)];
    this.#preflight = [
      ...listHeader('access-control-allow-methods', options.methods),
      ...listHeader('access-control-allow-headers', options.headers),
      ...credentials,
      ['access-control-max-age', String(options.maxAgeSeconds)],
    ];
  }

  get allowsAny(): boolean {
    return this.#options.allowsOrigin === null;
  }

  allows(origin: string): boolean {
    if (origin.length > ORIGIN_CHARS_MAX) return false;
    return this.#options.allowsOrigin?.(origin) ?? true;
  }

  /** Headers of the answer to a request of an allowed origin. */
  answerHeaders(origin: string): readonly Header[] {
    return [...this.#originHeaders(origin), ...this.#exposed];
  }

  preflightHeaders(origin: string): readonly Header[] {
    return [...this.#originHeaders(origin), ...this.#preflight];
  }

  /** A star would keep browsers from sending credentials: with them the origin itself is named. */
  #originHeaders(origin: string): readonly Header[] {
    if (this.allowsAny && !this.#options.allowsCredentials) return [['access-control-allow-origin', '*']];
    return [
      ['access-control-allow-origin', origin],
      ['vary', 'Origin'],
    ];
  }
}

function listHeader(name: string, values: readonly string[]): readonly Header[] {
  return values.length === 0 ? [] : [[name, values.join(',')]];
}
